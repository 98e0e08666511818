// Wrong versions of 11.2: scores and weights; see misconceptions.cpp for what becomes of
// them.

#include "wrong_cache.hpp"

using namespace wrong;

namespace {

using Of = const Rows&;
using In = const Vector&;

double root_of(std::size_t n) {
    return std::sqrt(static_cast<double>(n));
}

/// Scores times a number.
Vector scaled(In q, Of keys, double factor) {
    return Vector(scores(q, keys) * factor);
}

// ---- scores

CACHE_MISCONCEPTION(
    scores_not_divided,
    "the scores are not divided by √d_k: not at all, or by 1, as pow(d_k, 1 / 2) is, where 1 / 2 "
    "is 0. The softmax of what a model has learned with that division comes out too sharp.",
    [](Of keys, Of values, In q) {
        return mixed(softmax_of(scaled(q, keys, root_of(q.size()))), values);
    });

CACHE_MISCONCEPTION(scores_divided_by_d_k,
                    "the scores are divided by d_k, or by √d_k twice. √d_k once is right.",
                    [](Of keys, Of values, In q) {
                        return mixed(softmax_of(scaled(q, keys, 1 / root_of(q.size()))), values);
                    });

CACHE_MISCONCEPTION(means_for_scores,
                    "each score is the mean of the products, and divided by √d_k after that. It is "
                    "their sum, divided by √d_k.",
                    [](Of keys, Of values, In q) {
                        const double d_k = static_cast<double>(q.size());
                        return mixed(softmax_of(scaled(q, keys, 1 / d_k)), values);
                    });

CACHE_MISCONCEPTION(scores_times_the_root,
                    "the scores are multiplied by √d_k. They are divided by it.",
                    [](Of keys, Of values, In q) {
                        const double d_k = static_cast<double>(q.size());
                        return mixed(softmax_of(scaled(q, keys, d_k)), values);
                    });

CACHE_MISCONCEPTION(root_of_the_number_of_tokens,
                    "the scores are divided by the root of how many tokens are kept. It is the "
                    "number of components of a key: √d_k.",
                    [](Of keys, Of values, In q) {
                        return mixed(
                            softmax_of(scaled(q, keys, root_of(q.size()) / root_of(keys.size()))),
                            values);
                    });

CACHE_MISCONCEPTION(root_of_one_more,
                    "the scores are divided by √(d_k + 1). A score sums d_k products: √d_k.",
                    [](Of keys, Of values, In q) {
                        const double factor = root_of(q.size()) / root_of(q.size() + 1);
                        return mixed(softmax_of(scaled(q, keys, factor)), values);
                    });

CACHE_MISCONCEPTION(root_of_d_v,
                    "the scores are divided by √d_v. It is the components of a key that are added "
                    "up in a score: √d_k.",
                    [](Of keys, Of values, In q) {
                        return mixed(
                            softmax_of(scaled(q, keys,
                                              root_of(q.size()) / root_of(values.front().size()))),
                            values);
                    });

CACHE_MISCONCEPTION(output_divided_by_the_root,
                    "the output is divided by √d_k in place of the scores. The division comes "
                    "before the softmax.",
                    [](Of keys, Of values, In q) {
                        const Vector weights = softmax_of(scaled(q, keys, root_of(q.size())));
                        return Vector(mixed(weights, values) / root_of(q.size()));
                    });

CACHE_MISCONCEPTION(weights_divided_by_the_root,
                    "the output is divided by √d_k once more. Only the scores are.",
                    [](Of keys, Of values, In q) {
                        return Vector(mixed(softmax_of(scores(q, keys)), values) /
                                      root_of(q.size()));
                    });

CACHE_MISCONCEPTION(sign_of_the_scores,
                    "the scores have the wrong sign: the key that is most alike gets the least.",
                    [](Of keys, Of values, In q) {
                        return mixed(softmax_of(scaled(q, keys, -1)), values);
                    });

CACHE_MISCONCEPTION(cosines_for_scores,
                    "the score is the cosine of the angle between query and key. It is q · k / "
                    "√d_k, to which the lengths belong.",
                    [](Of keys, Of values, In q) {
                        Vector cosines = Vector::from_shape({keys.size()});
                        for (std::size_t j = 0; j < keys.size(); ++j) {
                            cosines(j) =
                                dot(q, keys[j]) / std::sqrt(dot(q, q) * dot(keys[j], keys[j]));
                        }
                        return mixed(softmax_of(cosines), values);
                    });

CACHE_MISCONCEPTION(distances_for_scores,
                    "the score is minus the squared distance of query and key. It is q · k / √d_k.",
                    [](Of keys, Of values, In q) {
                        Vector near = Vector::from_shape({keys.size()});
                        for (std::size_t j = 0; j < keys.size(); ++j) {
                            const Vector apart = q - keys[j];
                            near(j) = -dot(apart, apart) / root_of(q.size());
                        }
                        return mixed(softmax_of(near), values);
                    });

CACHE_MISCONCEPTION(last_component_only,
                    "each score is made of the last components alone: it is set where it should "
                    "be added to (+=).",
                    [](Of keys, Of values, In q) {
                        Vector last = Vector::from_shape({keys.size()});
                        for (std::size_t j = 0; j < keys.size(); ++j) {
                            last(j) = q(q.size() - 1) * keys[j](q.size() - 1) / root_of(q.size());
                        }
                        return mixed(softmax_of(last), values);
                    });

CACHE_MISCONCEPTION(first_component_only,
                    "each score is made of the first components alone. It is the sum of all "
                    "products.",
                    [](Of keys, Of values, In q) {
                        Vector first = Vector::from_shape({keys.size()});
                        for (std::size_t j = 0; j < keys.size(); ++j) {
                            first(j) = q(0) * keys[j](0) / root_of(q.size());
                        }
                        return mixed(softmax_of(first), values);
                    });

/// The sum of the products, kept in a Number.
template <class Number>
double sum_in(In a, In b) {
    Number sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
        sum = static_cast<Number>(sum + a(c) * b(c));
    }
    return static_cast<double>(sum);
}

template <class Number>
Vector mixed_by_sums_in(Of keys, Of values, In q) {
    Vector result = Vector::from_shape({keys.size()});
    for (std::size_t j = 0; j < keys.size(); ++j) {
        result(j) = sum_in<Number>(q, keys[j]) / root_of(q.size());
    }
    return mixed(softmax_of(result), values);
}

CACHE_MISCONCEPTION(scores_in_whole_numbers,
                    "the products are summed in an int, so their fractions are lost. "
                    "std::inner_product and std::accumulate sum in the type of their start value: "
                    "write 0.0.",
                    [](Of keys, Of values, In q) {
                        return mixed_by_sums_in<int>(keys, values, q);
                    });

CACHE_MISCONCEPTION(scores_in_float,
                    "the products are summed in a float, so the answer is right to about 7 digits. "
                    "std::inner_product sums in the type of its start value: 0.0, not 0.0f.",
                    [](Of keys, Of values, In q) {
                        return mixed_by_sums_in<float>(keys, values, q);
                    });

CACHE_MISCONCEPTION(scores_add_up,
                    "each score has those of the tokens before in it: the sum is not set to 0 for "
                    "each key.",
                    [](Of keys, Of values, In q) {
                        Vector running = scores(q, keys);
                        std::partial_sum(running.begin(), running.end(), running.begin());
                        return mixed(softmax_of(running), values);
                    });

// ---- weights

CACHE_MISCONCEPTION(
    log_sum_exp_rounds,
    "a weight is exp(score − (maximum + log of the sum)), or parts of the past are "
    "put together by such logarithms. On paper that is the same; but beside a large "
    "maximum the logarithm loses its digits. Subtract the maximum first, and divide "
    "by the sum.",
    [](Of keys, Of values, In q) {
        const Vector s = scores(q, keys);
        const double largest = xt::amax(s)();
        const double log_sum = largest + std::log(xt::sum(xt::exp(s - largest))());
        return mixed(Vector(xt::exp(s - log_sum)), values);
    });

CACHE_MISCONCEPTION(scores_for_weights,
                    "the scores themselves weigh the values. A softmax comes between, which makes "
                    "weights of them that sum to 1.",
                    [](Of keys, Of values, In q) { return mixed(scores(q, keys), values); });

CACHE_MISCONCEPTION(scores_divided_by_their_sum,
                    "the scores are divided by their sum, without exp. They may be negative.",
                    [](Of keys, Of values, In q) {
                        const Vector s = scores(q, keys);
                        return mixed(Vector(s / xt::sum(s)()), values);
                    });

CACHE_MISCONCEPTION(exponentials_for_weights,
                    "the weights are exp of the scores, and are not divided by their sum.",
                    [](Of keys, Of values, In q) {
                        return mixed(Vector(xt::exp(scores(q, keys))), values);
                    });

CACHE_MISCONCEPTION(exponentials_below_the_largest,
                    "the weights are exp(score − largest), and are not divided by their sum.",
                    [](Of keys, Of values, In q) {
                        const Vector s = scores(q, keys);
                        return mixed(Vector(xt::exp(s - xt::amax(s)())), values);
                    });

CACHE_MISCONCEPTION(divided_by_the_number,
                    "exp of the scores is divided by how many there are. It is divided by their "
                    "sum.",
                    [](Of keys, Of values, In q) {
                        const double n = static_cast<double>(keys.size());
                        return mixed(Vector(xt::exp(scores(q, keys)) / n), values);
                    });

CACHE_MISCONCEPTION(output_divided_by_the_number,
                    "the output is divided by how many tokens are kept. The weights sum to 1 "
                    "already.",
                    [](Of keys, Of values, In q) {
                        const double n = static_cast<double>(keys.size());
                        return Vector(mixed(softmax_of(scores(q, keys)), values) / n);
                    });

CACHE_MISCONCEPTION(mean_of_the_values,
                    "every value counts alike, whatever the query. The softmax of the scores says "
                    "how much each counts.",
                    [](Of keys, Of values, In) {
                        const double n = static_cast<double>(keys.size());
                        return mixed(Vector(xt::ones<double>({keys.size()}) / n), values);
                    });

CACHE_MISCONCEPTION(sum_of_the_values,
                    "the values are added up, without weights: attend does so, or its scores are "
                    "an array of one element, as Vector scores({n}); makes it, whose only weight "
                    "is 1; or append adds to the one key and value that are there.",
                    [](Of keys, Of values, In) {
                        return mixed(Vector(xt::ones<double>({keys.size()})), values);
                    });

CACHE_MISCONCEPTION(
    value_of_the_best_key,
    "the value of the best key alone is returned. Softmax takes something of every "
    "value.",
    [](Of keys, Of values, In q) {
        const Vector s = scores(q, keys);
        return values[static_cast<std::size_t>(std::max_element(s.begin(), s.end()) - s.begin())];
    });

CACHE_MISCONCEPTION(weights_along_the_columns,
                    "weights * V with a Vector of n weights and V of (n, d_v): xtensor lines a "
                    "Vector up with the columns, which throws where n is not d_v, and weighs "
                    "components in place of tokens where it is. Make the weights (n, 1), as "
                    "xt::view(weights, xt::all(), xt::newaxis()) is.",
                    [](Of keys, Of values, In q) {
                        Matrix V = Matrix::from_shape({values.size(), values.front().size()});
                        for (std::size_t j = 0; j < values.size(); ++j) {
                            xt::row(V, static_cast<std::ptrdiff_t>(j)) = values[j];
                        }
                        const Vector weights = softmax_of(scores(q, keys));
                        return Vector(xt::sum(weights * V, {0}));
                    });

CACHE_MISCONCEPTION(softmax_of_the_weights,
                    "the softmax is taken twice, the second time of weights, which makes them "
                    "almost alike.",
                    [](Of keys, Of values, In q) {
                        return mixed(softmax_of(softmax_of(scores(q, keys))), values);
                    });

CACHE_MISCONCEPTION(softmax_to_base_two,
                    "this is softmax to the base 2: exp2 stands where exp belongs.",
                    [](Of keys, Of values, In q) {
                        return mixed(softmax_of(scaled(q, keys, std::log(2.0))), values);
                    });

MISCONCEPTION_IN(in_turn, attend, scores_overflow,
                 "right for small scores: exp of 10,000 is ∞, and ∞/∞ is NaN. Subtract the largest "
                 "score first, as in 03.1; attention::softmax does.",
                 afterwards(RightKeep{}, [](Of keys, Of values, In q) {
                     const Vector raised = xt::exp(scores(q, keys));
                     return mixed(Vector(raised / xt::sum(raised)()), values);
                 }));

MISCONCEPTION_IN(in_turn, attend, largest_searched_from_zero,
                 "right where a score is positive: the search for the largest starts from 0, and "
                 "of scores far below that all exponentials are 0, their sum too. Start from the "
                 "first score.",
                 afterwards(RightKeep{}, [](Of keys, Of values, In q) {
                     const Vector s = scores(q, keys);
                     const Vector raised = xt::exp(s - std::max(0.0, xt::amax(s)()));
                     return mixed(Vector(raised / xt::sum(raised)()), values);
                 }));

} // namespace
