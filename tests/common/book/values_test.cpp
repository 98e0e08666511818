#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "book/values.hpp"
#include "judge/export.hpp"
#include "judge/signature.hpp"
#include "judge/value_json.hpp"

namespace {

struct Pair {
    double left;
    std::vector<std::size_t> right;
};

using Matrix = xt::xtensor<double, 2>;
using nlohmann::json;

} // namespace

JUDGE_STRUCT(Pair, left, right);

namespace {

/// A page's JSON as a T, through the type that a submission would send.
template <class T>
T read(const char* text) {
    const judge::List type = std::get<judge::List>(judge::type_value<T>().data);
    return judge::from_value<T>(book::argument_from(json::parse(text), type));
}

template <class T>
std::string refusal(const char* text) {
    try {
        read<T>(text);
    } catch (const judge::malformed& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("values: arrays have their shape, and numbers that JSON has not") {
    const Matrix matrix = read<Matrix>(
        R"({"shape": [2, 3], "data": [0, -1.5, "NaN", "Infinity", "-Infinity", 1e300]})");
    CHECK(matrix.shape(0) == 2);
    CHECK(matrix.shape(1) == 3);
    CHECK(matrix(0, 1) == -1.5);
    CHECK(std::isnan(matrix(0, 2)));
    CHECK(matrix(1, 0) == std::numeric_limits<double>::infinity());
    CHECK(matrix(1, 1) == -std::numeric_limits<double>::infinity());
    CHECK(matrix(1, 2) == 1e300);
    CHECK(read<Matrix>(R"({"shape": [0, 3], "data": []})").shape(1) == 3);
    const auto floats = read<xt::xarray<float>>(R"({"shape": [2], "data": [0.5, 2]})");
    CHECK(floats(0) == 0.5F);
    const auto mask =
        read<xt::xtensor<bool, 2>>(R"({"bool": {"shape": [1, 3], "data": [true, 0, 1]}})");
    CHECK(mask(0, 0));
    CHECK_FALSE(mask(0, 1));
    CHECK(mask(0, 2));
}

TEST_CASE("values: scalars, lists, structs and optional members") {
    CHECK(read<double>("0.25") == 0.25);
    CHECK(read<double>("3") == 3);
    CHECK(read<std::size_t>("7") == 7);
    CHECK(read<int>("-7") == -7);
    CHECK(read<bool>("true"));
    CHECK(read<std::string>("\"cat\"") == "cat");
    CHECK(read<std::vector<std::size_t>>("[1, 2]") == std::vector<std::size_t>{1, 2});
    CHECK_FALSE(read<std::optional<double>>("null"));
    CHECK(read<std::optional<double>>("2") == 2.0);
    const Pair pair = read<Pair>(R"({"right": [4], "left": 0.5})");
    CHECK(pair.left == 0.5);
    CHECK(pair.right == std::vector<std::size_t>{4});
}

TEST_CASE("values: a value of another type is refused, with the expected type") {
    CHECK(refusal<Matrix>("1") == "wanted an array with its shape, got 1");
    CHECK(refusal<Matrix>(R"({"shape": [2], "data": [1, 2]})") ==
          "wanted an array of rank 2, got rank 1");
    CHECK(refusal<Matrix>(R"({"shape": [2, 2], "data": [1, 2]})") ==
          "wanted 4 elements, as its shape says, got 2");
    CHECK(refusal<Matrix>(R"({"shape": [-1, 2], "data": []})") == "wanted a shape, got [-1,2]");
    CHECK(refusal<Matrix>(R"({"shape": [1, 1], "data": ["cat"]})") ==
          "wanted a number, got \"cat\"");
    CHECK(refusal<Matrix>(R"({"shape": [1, 1], "data": [[1]]})") == "wanted a number, got [1]");
    CHECK(refusal<std::size_t>("-1") == "wanted a size, got -1");
    CHECK(refusal<std::size_t>("1.5") == "wanted a size, got 1.5");
    CHECK(refusal<bool>("1") == "wanted a bool, got 1");
    CHECK(refusal<double>("true") == "wanted a number, got true");
    CHECK(refusal<std::vector<double>>("1") == "wanted a list, got 1");
    CHECK(refusal<Pair>(R"({"left": 1})") == "wanted a struct with a member right");
}

TEST_CASE("values: answers have the form of arguments") {
    const auto text = [](const auto& value) {
        return judge::json_of(judge::to_value(value)).dump();
    };
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK(text(Matrix{{1, infinity}, {-infinity, std::nan("")}}) ==
          R"({"data":[1.0,"Infinity","-Infinity","NaN"],"shape":[2,2]})");
    CHECK(text(xt::xtensor<bool, 1>{true, false}) ==
          R"({"bool":{"data":[true,false],"shape":[2]}})");
    CHECK(text(Pair{0.5, {1, 2}}) == R"({"left":0.5,"right":[1,2]})");
    CHECK(text(std::optional<double>{}) == "null");
    CHECK(text(infinity) == "\"Infinity\"");
    CHECK(text(std::size_t{3}) == "3");
}

TEST_CASE("values: elements are counted, and are too many where arguments are nested too deeply") {
    CHECK(book::count_elements(json::parse(R"([1, {"shape": [2], "data": [1, 2]}, [[3]]])")) == 5);
    const std::string nested = std::string(100000, '[') + std::string(100000, ']');
    CHECK(book::count_elements(json::parse(nested)) > 1U << 20U); // refused, not written as text
}
