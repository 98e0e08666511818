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

} // namespace
