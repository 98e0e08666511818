// More wrong versions of grouped queries: slips of which head meets which, and where it is written.

#include "exports.hpp"
#include "wrong.hpp"

using namespace wrong;
using plain::GroupedMechanism;

namespace {

using In = const Matrix&;

auto grouped(GroupedMechanism mechanism) {
    return [=](In Q, In K, In V, std::size_t n_kv_heads) { return mechanism(Q, K, V, n_kv_heads); };
}

/// Head h of the queries meets head h of the keys, as long as there are any.
GroupedMechanism one_each() {
    GroupedMechanism wrong;
    wrong.key_of =
        wrong.value_of = [](auto h, auto, auto n_kv_heads) { return std::min(h, n_kv_heads - 1); };
    return wrong;
}

/// Row i of heads first … last − 1 sums to 1 together.
void softmax_together(Heads& scores, std::size_t first, std::size_t last) {
    for (std::size_t i = 0; i < scores[first].shape(0); ++i) {
        double maximum = -infinity, sum = 0;
        for (std::size_t h = first; h < last; ++h) {
            maximum = std::max(maximum, xt::amax(xt::view(scores[h], i, xt::all()))());
        }
        for (std::size_t h = first; h < last; ++h) {
            for (double& score : xt::view(scores[h], i, xt::all())) {
                score = std::exp(score - maximum);
                sum += score;
            }
        }
        for (std::size_t h = first; h < last; ++h) {
            xt::view(scores[h], i, xt::all()) /= sum;
        }
    }
}

MISCONCEPTION(grouped_query_attention, one_each_and_no_more,
              "the loop runs over the heads of keys: each meets one head of queries, and the other "
              "outputs are 0. It runs over the heads of queries, of which several share one.",
              grouped([] {
                  GroupedMechanism wrong = one_each();
                  wrong.change = [](auto& weights, auto n_kv_heads) {
                      for (std::size_t h = n_kv_heads; h < weights.size(); ++h) {
                          weights[h] *= 0;
                      }
                  };
                  return wrong;
              }()));

MISCONCEPTION(grouped_query_attention, one_softmax_a_group,
              "the weights of all heads of a group sum to 1 together. A group shares keys and "
              "values; each head of it has a softmax of its own.",
              grouped([] {
                  GroupedMechanism wrong;
                  wrong.weigh = [](auto& scores) { return scores; };
                  wrong.change = [](auto& scores, auto n_kv_heads) {
                      const std::size_t group = scores.size() / n_kv_heads;
                      for (std::size_t first = 0; first < scores.size(); first += group) {
                          softmax_together(scores, first, first + group);
                      }
                  };
                  return wrong;
              }()));

MISCONCEPTION(grouped_query_attention, as_wide_as_the_values,
              "the output has as many heads as the values, (n_queries, n_kv_heads · d_v): the loop "
              "runs over the heads of keys. Each head of queries has an output: n_heads · d_v.",
              grouped([] {
                  GroupedMechanism wrong = one_each();
                  wrong.merge_outputs = [](auto& heads, auto n_kv_heads) {
                      const auto end = heads.begin() + static_cast<std::ptrdiff_t>(n_kv_heads);
                      return plain::merge(Heads(heads.begin(), end));
                  };
                  return wrong;
              }()));

MISCONCEPTION(grouped_query_attention, written_to_the_columns_of_the_group,
              "each output is written to the columns of its group, g · d_v, so the heads of a "
              "group overwrite each other. Head h has the columns from h · d_v on.",
              grouped([] {
                  GroupedMechanism wrong;
                  wrong.merge_outputs = [](auto& heads, auto n_kv_heads) {
                      Heads written;
                      const std::size_t group = heads.size() / n_kv_heads;
                      for (std::size_t h = 0; h < heads.size(); ++h) {
                          const bool any = h < n_kv_heads; // else nothing is written there
                          written.push_back(any ? heads[(h + 1) * group - 1]
                                                : Matrix(0.0 * heads[h]));
                      }
                      return plain::merge(written);
                  };
                  return wrong;
              }()));

MISCONCEPTION(grouped_query_attention, queries_by_the_group,
              "the queries are cut by the number of the group, g · d_k, as keys are. Only keys and "
              "values are shared: head h has its own queries, from column h · d_k on.",
              [](In Q, In K, In V, std::size_t n_kv_heads) {
                  GroupedMechanism wrong;
                  wrong.split_queries = [=](In all, std::size_t n_heads) {
                      const Heads heads = plain::split(all, n_heads);
                      Heads taken;
                      for (std::size_t h = 0; h < n_heads; ++h) {
                          taken.push_back(heads[h / (n_heads / n_kv_heads)]);
                      }
                      return taken;
                  };
                  return wrong(Q, K, V, n_kv_heads);
              });

MISCONCEPTION(grouped_query_attention, one_head_early,
              "a group begins one head too early, (h + 1) divided by its size. Heads count from 0: "
              "the group of head h is h / (n_heads / n_kv_heads).",
              grouped([] {
                  GroupedMechanism wrong;
                  wrong.key_of = wrong.value_of = [](auto h, auto n_heads, auto n_kv_heads) {
                      return std::min((h + 1) / (n_heads / n_kv_heads), n_kv_heads - 1);
                  };
                  return wrong;
              }()));

MISCONCEPTION(
    grouped_query_attention, grouped_twice,
    "heads are grouped twice: the keys and values are repeated for every head of queries, "
    "and then looked up by the group among the repeated ones. Either repeat them and take "
    "head h, or take h / (n_heads / n_kv_heads) of those that there are.",
    grouped([] {
        GroupedMechanism wrong;
        wrong.key_of = wrong.value_of = [](auto h, auto n_heads, auto n_kv_heads) {
            const std::size_t group = n_heads / n_kv_heads;
            return h / group / group;
        };
        return wrong;
    }()));

/// The mean of all heads in the place of each.
Heads averaged(In all, std::size_t n_heads) {
    const Matrix mean = sum_of(plain::split(all, n_heads)) / real(n_heads);
    return Heads(n_heads, mean);
}

MISCONCEPTION(grouped_query_attention, mean_of_all_heads,
              "all heads of queries use the mean of all heads of keys and values. So the heads of "
              "a trained model are made fewer; here they are given, and each group uses its own: "
              "h / (n_heads / n_kv_heads).",
              grouped([] {
                  GroupedMechanism wrong;
                  wrong.split_keys = wrong.split_values = averaged;
                  return wrong;
              }()));

MISCONCEPTION(grouped_query_attention, outputs_in_turn,
              "each head meets the right keys, and is written to the wrong place: the first heads "
              "of all groups come first. The heads of a group stay together: g · group + r.",
              grouped([] {
                  GroupedMechanism wrong;
                  wrong.merge_outputs = [](auto& heads, auto n_kv_heads) {
                      Heads written = heads;
                      const std::size_t group = heads.size() / n_kv_heads;
                      for (std::size_t h = 0; h < heads.size(); ++h) {
                          written[h % group * n_kv_heads + h / group] = heads[h];
                      }
                      return plain::merge(written);
                  };
                  return wrong;
              }()));

MISCONCEPTION(
    grouped_query_attention, one_attention_where_nothing_is_shared,
    "where there are as many heads of keys as of queries, one attention of all columns is "
    "computed. Nothing is shared then, but the heads stay apart: each has scores and "
    "weights of its own.",
    [](In Q, In K, In V, std::size_t n_kv_heads) {
        const std::size_t n_heads = lesson::require_fit(Q, K, V, n_kv_heads).n_heads;
        return GroupedMechanism{}(Q, K, V, n_heads == n_kv_heads ? 1 : n_kv_heads);
    });

MISCONCEPTION(grouped_query_attention, values_from_the_columns_of_keys,
              "the values of group g are cut from column g · d_k on, as keys are. A value has d_v "
              "components: g · d_v.",
              [](In Q, In K, In V, std::size_t n_kv_heads) {
                  const std::size_t d_k = K.shape(1) / n_kv_heads;
                  GroupedMechanism wrong;
                  wrong.split_values = [=](In all, std::size_t n_heads) {
                      const std::size_t d_v = all.shape(1) / n_heads;
                      Heads heads;
                      for (std::size_t h = 0; h < n_heads; ++h) {
                          heads.push_back(matrix_of(all.shape(0), d_v, [&](auto j, auto c) {
                              return all.at(j, h * d_k + c);
                          }));
                      }
                      return heads;
                  };
                  return wrong(Q, K, V, n_kv_heads);
              });

// ---- values as wide as keys

/// Head h begins at column h · d and has d, whatever there is: of what lies behind a row the next
/// one is read, or written.
Heads cut_by(In all, std::size_t n_heads, std::size_t d) {
    Heads heads;
    for (std::size_t h = 0; h < n_heads; ++h) {
        heads.push_back(matrix_of(all.shape(0), d, [&](auto j, auto c) {
            const std::size_t at = j * all.shape(1) + h * d + c;
            return at < all.size() ? all.data()[at] : 0.0;
        }));
    }
    return heads;
}
Matrix placed_by(const Heads& heads, std::size_t columns, std::size_t d) {
    Matrix result = xt::zeros<double>({heads.front().shape(0), columns});
    for (std::size_t h = 0; h < heads.size(); ++h) {
        for (std::size_t c = 0; c < d; ++c) {
            for (std::size_t i = 0; i < result.shape(0); ++i) {
                const std::size_t at = i * columns + h * d + c;
                if (at < result.size()) {
                    result.data()[at] = heads[h](i, c);
                }
            }
        }
    }
    return result;
}

MISCONCEPTION(grouped_query_attention, values_as_wide_as_keys,
              "the heads of the values are cut with d_k, the width of a key, and their outputs "
              "written with it. A value has d_v components, and so has an output.",
              [](In Q, In K, In V, std::size_t n_kv_heads) {
                  const lesson::Grouped size = lesson::require_fit(Q, K, V, n_kv_heads);
                  GroupedMechanism wrong;
                  wrong.split_values = [=](In all, std::size_t n_heads) {
                      return cut_by(all, n_heads, size.d_k);
                  };
                  wrong.merge_outputs = [=](const Heads& heads, std::size_t) {
                      return placed_by(heads, size.n_heads * size.d_v, size.d_k);
                  };
                  return wrong(Q, K, V, n_kv_heads);
              });

// ---- one head of queries a group, made of all of them

template <class Combine>
auto one_output_a_group(Combine combine) {
    return [=](In Q, In K, In V, std::size_t n_kv_heads) {
        const std::size_t n_heads = lesson::require_fit(Q, K, V, n_kv_heads).n_heads;
        const std::size_t group = n_heads / n_kv_heads;
        const Heads queries = plain::split(Q, n_heads);
        Heads combined;
        for (std::size_t g = 0; g < n_kv_heads; ++g) {
            const auto begin = queries.begin() + static_cast<std::ptrdiff_t>(g * group);
            combined.push_back(combine(Heads(begin, begin + static_cast<std::ptrdiff_t>(group))));
        }
        return GroupedMechanism{}(plain::merge(combined), K, V, n_kv_heads);
    };
}

MISCONCEPTION(grouped_query_attention, one_averaged_query_a_group,
              "the queries of a group are averaged, and there is one output for each head of keys. "
              "Every head of queries asks for itself and has an output: (n_queries, n_heads · "
              "d_v).",
              one_output_a_group([](const Heads& group) -> Matrix {
                  return sum_of(group) / real(group.size());
              }));

MISCONCEPTION(grouped_query_attention, one_sum_of_queries_a_group,
              "the queries of a group are added up, and there is one output for each head of keys. "
              "Every head of queries asks for itself and has an output: (n_queries, n_heads · "
              "d_v).",
              one_output_a_group(sum_of));

// ---- not all keys are seen

constexpr const char* causal_text =
    "this is causal: a query does not see the keys after its own position. The contract has no "
    "mask, so that every query sees every key.";

/// before: how many keys there are before the one that query 0 stands at.
template <class Before>
auto causal(Before before) {
    GroupedMechanism wrong;
    wrong.weigh = [=](const Matrix& scores) {
        const std::size_t n_queries = scores.shape(0), n_keys = scores.shape(1);
        const Mask mask = [&] {
            Mask seen = Mask::from_shape({n_queries, n_keys});
            for (std::size_t i = 0; i < n_queries; ++i) {
                for (std::size_t j = 0; j < n_keys; ++j) {
                    seen(i, j) = j <= i + before(n_queries, n_keys);
                }
            }
            return seen;
        }();
        return oracle::masked_softmax(scores, mask);
    };
    return grouped(wrong);
}

MISCONCEPTION(grouped_query_attention, as_many_keys_as_queries,
              "only as many keys are looked at as there are queries: a loop over the keys ends at "
              "the rows of Q. Keys and values have their own number of rows, K.shape(0).",
              [](In Q, In K, In V, std::size_t n_kv_heads) -> Matrix {
                  lesson::require_fit(Q, K, V, n_kv_heads);
                  const std::size_t n = Q.shape(0);
                  if (n > K.shape(0)) {
                      throw std::runtime_error("an index is out of range");
                  }
                  return GroupedMechanism{}(
                      Q, Matrix(xt::view(K, xt::range(std::size_t{0}, n), xt::all())),
                      Matrix(xt::view(V, xt::range(std::size_t{0}, n), xt::all())), n_kv_heads);
              });

MISCONCEPTION(grouped_query_attention, causal, causal_text,
              causal([](std::size_t, std::size_t) { return std::size_t{0}; }));

MISCONCEPTION(grouped_query_attention, causal_from_the_last, causal_text,
              causal([](std::size_t n_queries, std::size_t n_keys) {
                  return n_keys > n_queries ? n_keys - n_queries : 0;
              }));

} // namespace
