#include "judge/value.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "judge/codec.hpp"
#include "judge_values.hpp"

using namespace judge;

namespace {

/// There and back through bytes, as a call's arguments and its result travel.
template <class T>
T round_trip(const T& value) {
    return from_value<T>(decode_value(encode(to_value<T>(value))));
}

template <class T>
void check_integer() {
    for (const T value : {std::numeric_limits<T>::min(), T{0}, std::numeric_limits<T>::max()}) {
        CHECK(round_trip(value) == value);
    }
}

/// A matrix of values that differ at the type's ends.
template <class T>
xt::xtensor<T, 2> ends() {
    const T low = std::numeric_limits<T>::lowest();
    const T high = std::numeric_limits<T>::max();
    return {{0, 1, low}, {high, 1, 0}};
}

template <class T>
void check_elements() {
    CAPTURE(element_kind<T>());
    CAPTURE(sizeof(T));
    const xt::xtensor<T, 2> matrix = ends<T>();
    CHECK(round_trip(matrix) == matrix);
}

/// Every rank, extents pairwise different.
template <class T>
void check_ranks() {
    CAPTURE(element_kind<T>());
    const xt::xtensor<T, 0> scalar(std::array<std::size_t, 0>{}, T(1));
    const xt::xtensor<T, 1> vector{0, 1, 1};
    const xt::xtensor<T, 2> empty(std::array<std::size_t, 2>{0, 3});
    const xt::xtensor<T, 3> tensor{{{1, 1}, {0, 1}, {1, 0}}};
    const xt::xtensor<T, 4> batch{{{{1, 1}}, {{0, 1}}, {{1, 0}}}};
    const xt::xarray<T> any = ends<T>();
    CHECK(round_trip(scalar) == scalar);
    CHECK(round_trip(vector) == vector);
    CHECK(round_trip(empty).shape() == empty.shape());
    CHECK(round_trip(tensor) == tensor);
    CHECK(round_trip(batch) == batch);
    CHECK(round_trip(any) == any);
}

} // namespace

TEST_CASE("value: integers survive the round trip at both ends of their type") {
    check_integer<std::int8_t>();
    check_integer<std::int64_t>();
    check_integer<std::uint64_t>();
}

TEST_CASE("value: arrays of every element type survive the round trip") {
    check_elements<bool>();
    check_elements<std::int32_t>();
    check_elements<std::int64_t>();
    check_elements<std::uint64_t>();
    check_elements<float>();
    check_elements<double>();
}

TEST_CASE(
    "value: arrays of ranks 0 to 4, and of a rank that is not known, survive the round trip") {
    check_ranks<bool>();
    check_ranks<double>();
}

TEST_CASE("value: a struct survives the round trip, inside a vector too") {
    const lesson::Sample sample{{{1, 2, 3}, {4, 5, 6}}, {0.5, 0.25}, "words", std::nullopt};
    CHECK(round_trip(sample) == sample);
    const std::vector<lesson::Sample> samples{sample, {{{7}}, {8}, "", 9}};
    CHECK(round_trip(samples) == samples);
}

TEST_CASE("value: an array's elements read as doubles whatever their type") {
    CHECK(to_array<bool>(xt::xtensor<bool, 1>{false, true}).at(1) == 1);
    CHECK(to_array<std::int32_t>(xt::xtensor<std::int32_t, 1>{3, -70000}).at(1) == -70000);
    CHECK(to_array<std::int64_t>(xt::xtensor<std::int64_t, 1>{3, -5}).at(1) == -5);
    CHECK(to_array<std::uint64_t>(xt::xtensor<std::uint64_t, 1>{3, 7}).at(1) == 7);
    CHECK(to_array<float>(xt::xtensor<float, 1>{3, 0.5F}).at(1) == 0.5);
    CHECK(to_array<double>(xt::xtensor<double, 1>{3, 0.1}).at(1) == 0.1);
}

TEST_CASE("value: a wrong type is named beside the wanted one") {
    const Value number{2.5};
    const Value matrix = to_value(xt::xtensor<double, 2>{{1, 2}});
    CHECK_THROWS_WITH_AS(from_value<bool>(number), "wanted bool, got number", malformed);
    CHECK_THROWS_WITH_AS(from_value<int>(number), "wanted an integer, got number", malformed);
    CHECK_THROWS_WITH_AS(from_value<unsigned>(Value{std::int64_t{1}}),
                         "wanted an integer, got integer", malformed);
    CHECK_THROWS_WITH_AS(from_value<double>(Value{true}), "wanted a number, got bool", malformed);
    CHECK_THROWS_WITH_AS(from_value<std::string>(matrix),
                         "wanted a string, got float64 array of rank 2", malformed);
    CHECK_THROWS_WITH_AS(from_value<std::vector<double>>(number), "wanted a list, got number",
                         malformed);
    CHECK_THROWS_WITH_AS(from_value<std::vector<double>>(to_value(std::vector<bool>{true})),
                         "wanted a number, got bool", malformed);
    CHECK_THROWS_WITH_AS(from_value<std::optional<double>>(Value{std::string()}),
                         "wanted a number, got string", malformed);
    CHECK_THROWS_WITH_AS(from_value<lesson::Sample>(number), "wanted a struct, got number",
                         malformed);
    CHECK_THROWS_WITH_AS((from_value<xt::xtensor<double, 2>>(Value{})),
                         "wanted an array, got nothing", malformed);
}

TEST_CASE("value: an array of another rank or element type is named") {
    const Value matrix = to_value(xt::xtensor<double, 2>{{1, 2}});
    CHECK_THROWS_WITH_AS((from_value<xt::xtensor<double, 3>>(matrix)),
                         "wanted an array of rank 3, got float64 array of rank 2", malformed);
    CHECK_THROWS_WITH_AS((from_value<xt::xtensor<float, 2>>(matrix)),
                         "wanted an array of another element type, got float64 array of rank 2",
                         malformed);
    CHECK_THROWS_WITH_AS((from_value<xt::xtensor<std::int64_t, 2>>(matrix)),
                         "wanted an array of another element type, got float64 array of rank 2",
                         malformed);
    CHECK_THROWS_WITH_AS(from_value<xt::xarray<bool>>(matrix),
                         "wanted an array of another element type, got float64 array of rank 2",
                         malformed);
}

TEST_CASE("split_names: the names of a macro's arguments, however they are spaced") {
    CHECK(split_names("Q, K, V") == std::vector<std::string>{"Q", "K", "V"});
    CHECK(split_names("  Q ,K,   W_v ") == std::vector<std::string>{"Q", "K", "W_v"});
    CHECK(split_names("").empty());
}
