// Wrong versions in which the end of xt::range is taken for the last column, and a group of heads
// for one wide head.

#include "attention/attention.hpp"
#include "exports.hpp"
#include "wrong.hpp"

namespace misconceptions_ranges {

using namespace wrong;

namespace {

constexpr const char* end_included =
    "a range of columns ends one too early: xt::range(first, last) leaves last out. The columns of "
    "head h are xt::range(h * d, (h + 1) * d).";

/// What an assignment to `columns` columns makes of these: xtensor stretches one column over all,
/// and throws otherwise.
Matrix assigned(const Matrix& from, std::size_t n_columns) {
    Matrix to = xt::zeros<double>({from.shape(0), n_columns});
    xt::view(to, xt::all(), xt::all()) = from;
    return to;
}

MISCONCEPTION(split_heads, range_without_its_last, end_included,
              [](const Matrix& X, std::size_t n_heads) -> Tensor3 {
                  const std::size_t d = lesson::columns_of_a_head("split_heads", "X", X, n_heads);
                  Tensor3 heads = xt::zeros<double>({n_heads, X.shape(0), d});
                  for (std::size_t h = 0; h < n_heads; ++h) {
                      xt::view(heads, h, xt::all(), xt::all()) =
                          xt::view(X, xt::all(), xt::range(h * d, (h + 1) * d - 1));
                  }
                  return heads;
              });

MISCONCEPTION(merge_heads, range_without_its_last, end_included,
              [](const Tensor3& heads) -> Matrix {
                  const std::size_t n_heads = heads.shape(0), n = heads.shape(1),
                                    d = heads.shape(2);
                  Matrix merged = xt::zeros<double>({n, n_heads * d});
                  for (std::size_t h = 0; h < n_heads; ++h) {
                      xt::view(merged, xt::all(), xt::range(h * d, (h + 1) * d - 1)) =
                          xt::view(heads, h, xt::all(), xt::all());
                  }
                  return merged;
              });

/// The columns first … first + count − 1, or all but the last of them.
Matrix cut(const Matrix& X, std::size_t first, std::size_t count, bool short_by_one) {
    return xt::view(X, xt::all(), xt::range(first, first + count - (short_by_one ? 1 : 0)));
}

/// Which of the ranges of 09.4 end one too early.
struct Short {
    bool Q = false, K = false, V = false;
};
auto grouped_by_ranges(Short is_short) {
    return
        [=](const Matrix& Q, const Matrix& K, const Matrix& V, std::size_t n_kv_heads) -> Matrix {
            const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
            Matrix output = xt::zeros<double>({Q.shape(0), size.n_heads * size.d_v});
            for (std::size_t h = 0; h < size.n_heads; ++h) {
                const std::size_t g = h / (size.n_heads / n_kv_heads);
                const Matrix Q_h = cut(Q, h * size.d_k, size.d_k, is_short.Q);
                const Matrix K_g = cut(K, g * size.d_k, size.d_k, is_short.K);
                const Matrix V_g = cut(V, g * size.d_v, size.d_v, is_short.V);
                xt::view(output, xt::all(), xt::range(h * size.d_v, (h + 1) * size.d_v)) =
                    assigned(attention::attention(Q_h, K_g, V_g).output, size.d_v);
            }
            return output;
        };
}

MISCONCEPTION(grouped_query_attention, ranges_of_queries_and_keys_without_their_last, end_included,
              grouped_by_ranges({.Q = true, .K = true}));
MISCONCEPTION(grouped_query_attention, ranges_without_their_last, end_included,
              grouped_by_ranges({.Q = true, .K = true, .V = true}));

/// All heads of a group have the output of one attention, whose queries are the group's, side by
/// side, and whose keys are repeated.
constexpr auto one_wide_head_a_group = [](const Matrix& Q, const Matrix& K, const Matrix& V,
                                          std::size_t n_kv_heads) -> Matrix {
    const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
    const std::size_t group = size.n_heads / n_kv_heads;
    const Heads queries = plain::split(Q, size.n_heads), keys = plain::split(K, n_kv_heads),
                values = plain::split(V, n_kv_heads);
    Heads outputs;
    for (std::size_t h = 0; h < size.n_heads; ++h) {
        const std::size_t g = h / group;
        Matrix scores = xt::zeros<double>({Q.shape(0), K.shape(0)});
        for (std::size_t r = 0; r < group; ++r) {
            scores += oracle::raw_scores(queries[g * group + r], keys[g]);
        }
        scores /= root(group * size.d_k);
        outputs.push_back(oracle::matmul(oracle::softmax_rows(scores), values[g]));
    }
    return plain::merge(outputs);
};

MISCONCEPTION(grouped_query_attention, a_group_as_one_wide_head,
              "a group of heads is one wide head here: its queries' scores are added up, and all "
              "of its heads get the same output. Heads of a group share keys and values, and each "
              "has scores and weights of its own.",
              one_wide_head_a_group);

} // namespace

} // namespace misconceptions_ranges
