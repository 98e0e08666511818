// Wrong versions of 09.1 and 09.4 whose columns are cut by views, as people write them: what
// xtensor makes of a range that is too short, empty or of another width is what it makes of theirs.
// Each with a result of zeros, and with one that is only made: where nothing is written, they
// differ.

#include <array>
#include <utility>

#include "attention/attention.hpp"
#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_views {

using namespace wrong;

namespace {

/// Where a range begins and ends, of the columns of head h, d a head.
using Range = std::pair<std::size_t, std::size_t>;
using RangeOf = Range (*)(std::size_t h, std::size_t d);

Range whole(std::size_t h, std::size_t d) {
    return {h * d, (h + 1) * d};
}
Range end_included(std::size_t h, std::size_t d) {
    return {h * d, (h + 1) * d - 1};
}
Range with_a_count(std::size_t h, std::size_t d) {
    return {h * d, d};
}

auto between(const Range& range) {
    return xt::range(range.first, range.second);
}

constexpr const char* end_included_text =
    "a range of columns ends one too early: xt::range(first, last) leaves last out. The columns of "
    "head h are xt::range(h * d, (h + 1) * d).";
constexpr const char* with_a_count_text =
    "a range of columns ends where its count is given: the second number of xt::range is the end, "
    "before which it stops. From the second head on nothing is left. The columns of head h are "
    "xt::range(h * d, (h + 1) * d).";

enum class Made { of_zeros, unset };

template <class Array, std::size_t rank>
Array made(Made how, const std::array<std::size_t, rank>& shape) {
    return how == Made::of_zeros ? Array(xt::zeros<double>(shape)) : Array::from_shape(shape);
}

// ---- 09.1

auto split_by(RangeOf columns, Made how) {
    return [=](const Matrix& X, std::size_t n_heads) -> Tensor3 {
        const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
        Tensor3 heads = made<Tensor3>(how, std::array{n_heads, X.shape(0), d});
        for (std::size_t h = 0; h < n_heads; ++h) {
            xt::view(heads, h, xt::all(), xt::all()) =
                xt::view(X, xt::all(), between(columns(h, d)));
        }
        return heads;
    };
}

auto merged_by(RangeOf columns, Made how) {
    return [=](const Tensor3& heads) -> Matrix {
        const std::size_t n_heads = heads.shape(0), n = heads.shape(1), d = heads.shape(2);
        Matrix merged = made<Matrix>(how, std::array{n, n_heads * d});
        for (std::size_t h = 0; h < n_heads; ++h) {
            xt::view(merged, xt::all(), between(columns(h, d))) =
                xt::view(heads, h, xt::all(), xt::all());
        }
        return merged;
    };
}

MISCONCEPTION(split_heads, end_included_unset, end_included_text,
              split_by(end_included, Made::unset));
MISCONCEPTION(split_heads, range_with_a_count, with_a_count_text,
              split_by(with_a_count, Made::of_zeros));
MISCONCEPTION(split_heads, range_with_a_count_unset, with_a_count_text,
              split_by(with_a_count, Made::unset));
MISCONCEPTION(merge_heads, end_included_unset, end_included_text,
              merged_by(end_included, Made::unset));
MISCONCEPTION(merge_heads, range_with_a_count, with_a_count_text,
              merged_by(with_a_count, Made::of_zeros));
MISCONCEPTION(merge_heads, range_with_a_count_unset, with_a_count_text,
              merged_by(with_a_count, Made::unset));

// ---- 09.4

struct Views {
    RangeOf Q = whole, K = whole, V = whole, output = whole;
    bool Q_by_d_v = false, K_by_d_v = false, V_by_d_k = false, output_by_d_k = false;
    std::size_t (*key_of)(std::size_t h, std::size_t group) = [](auto h, auto group) {
        return h / group;
    };
    std::size_t (*value_of)(std::size_t h, std::size_t group) = [](auto h, auto group) {
        return h / group;
    };
};

auto grouped_by(Views by, Made how) {
    return [=](const Matrix& Q, const Matrix& K, const Matrix& V,
               std::size_t n_kv_heads) -> Matrix {
        const auto [n_heads, d_k, d_v] = lesson::require_fit(Q, K, V, n_kv_heads);
        const std::size_t group = n_heads / n_kv_heads;
        Matrix output = made<Matrix>(how, std::array{Q.shape(0), n_heads * d_v});
        for (std::size_t h = 0; h < n_heads; ++h) {
            const Matrix Q_h = xt::view(Q, xt::all(), between(by.Q(h, by.Q_by_d_v ? d_v : d_k)));
            const Matrix K_g =
                xt::view(K, xt::all(), between(by.K(by.key_of(h, group), by.K_by_d_v ? d_v : d_k)));
            const Matrix V_g = xt::view(
                V, xt::all(), between(by.V(by.value_of(h, group), by.V_by_d_k ? d_k : d_v)));
            xt::view(output, xt::all(), between(by.output(h, by.output_by_d_k ? d_k : d_v))) =
                attention::attention(Q_h, K_g, V_g).output;
        }
        return output;
    };
}

#define WRONG_VIEWS(name, text, ...)                                                               \
    MISCONCEPTION(grouped_query_attention, name, text, grouped_by({__VA_ARGS__}, Made::of_zeros))
/// Those that leave elements of the output as they were.
#define WRONG_VIEWS_LEAVING_SOME(name, text, ...)                                                  \
    WRONG_VIEWS(name, text, __VA_ARGS__);                                                          \
    MISCONCEPTION(grouped_query_attention, name##_unset, text,                                     \
                  grouped_by({__VA_ARGS__}, Made::unset))

WRONG_VIEWS_LEAVING_SOME(ranges_end_included, end_included_text, .Q = end_included,
                         .K = end_included, .V = end_included, .output = end_included);
WRONG_VIEWS_LEAVING_SOME(ranges_of_values_end_included, end_included_text, .V = end_included);
WRONG_VIEWS_LEAVING_SOME(ranges_of_outputs_end_included, end_included_text, .output = end_included);

WRONG_VIEWS(ranges_with_counts, with_a_count_text, .Q = with_a_count, .K = with_a_count,
            .V = with_a_count, .output = with_a_count);
WRONG_VIEWS(ranges_of_keys_with_counts, with_a_count_text, .K = with_a_count);
WRONG_VIEWS_LEAVING_SOME(ranges_of_values_with_counts, with_a_count_text, .V = with_a_count);
WRONG_VIEWS_LEAVING_SOME(ranges_of_outputs_with_counts, with_a_count_text, .output = with_a_count);

constexpr const char* d_k_for_values =
    "the columns of the values are cut by d_k, the width of a key. A value has d_v "
    "components: those of group g are xt::range(g * d_v, (g + 1) * d_v).";
WRONG_VIEWS_LEAVING_SOME(values_cut_by_d_k, d_k_for_values, .V_by_d_k = true);
WRONG_VIEWS_LEAVING_SOME(
    values_and_outputs_cut_by_d_k,
    "the heads of the values are cut with d_k, the width of a key, and their outputs "
    "written with it. A value has d_v components, and so has an output.",
    .V_by_d_k = true, .output_by_d_k = true);
WRONG_VIEWS_LEAVING_SOME(
    outputs_cut_by_d_k,
    "the outputs are written to columns cut by d_k, the width of a key. An output is as "
    "wide as a value: head h has xt::range(h * d_v, (h + 1) * d_v).",
    .output_by_d_k = true);
constexpr const char* d_v_for_keys =
    "the columns of the queries or keys are cut by d_v, the width of a value. A query and a key "
    "have d_k components: h · d_k and g · d_k.";
WRONG_VIEWS(queries_cut_by_d_v, d_v_for_keys, .Q_by_d_v = true);
WRONG_VIEWS(keys_cut_by_d_v, d_v_for_keys, .K_by_d_v = true);
WRONG_VIEWS(queries_and_keys_cut_by_d_v, d_v_for_keys, .Q_by_d_v = true, .K_by_d_v = true);

constexpr const char* by_h_text =
    "the keys or the values are cut by h, the head of the queries. There are fewer of them: the "
    "group of head h is g = h / (n_heads / n_kv_heads), and its columns begin at g · d.";
WRONG_VIEWS(
    keys_cut_by_h, by_h_text, .key_of = [](auto h, auto) { return h; });
WRONG_VIEWS_LEAVING_SOME(
    values_cut_by_h, by_h_text, .value_of = [](auto h, auto) { return h; });

WRONG_VIEWS(
    remainder_of_the_group,
    "the head of keys is h % group, the place of a head within its group. Neighbours share one: it "
    "is h / group.",
    .key_of = [](auto h, auto group) { return h % group; },
    .value_of = [](auto h, auto group) { return h % group; });

} // namespace

} // namespace misconceptions_views
