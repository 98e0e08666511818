// Wrong versions of 07.1 and 07.2 alike: arrays that are changed in place and used again, numbers
// of another size, and short cuts.

#include "wrong.hpp"

namespace misconceptions_scores_slips {

using namespace wrong;

namespace {

/// From projected states and keys, the scores.
using Scores = std::function<Matrix(const Matrix& queries, const Matrix& keys, const Vector& v)>;

auto of_states_and_keys(Scores scores) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_h", "H", H, 1, "W_h", W_h, 0);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "W_h", W_h, 1);
        lesson::require_equal("a misconception", "d_a", "W_h", W_h, 1, "v", v, 0);
        return scores(matmul(S, W_s), matmul(H, W_h), v);
    };
}

auto of_projected_keys(Scores scores) {
    return [=](const Matrix& S, const Matrix& keys, const Matrix& W_s, const Vector& v) -> Matrix {
        lesson::require_equal("a misconception", "d_s", "S", S, 1, "W_s", W_s, 0);
        lesson::require_equal("a misconception", "d_a", "keys", keys, 1, "W_s", W_s, 1);
        lesson::require_equal("a misconception", "d_a", "W_s", W_s, 1, "v", v, 0);
        return scores(matmul(S, W_s), keys, v);
    };
}

Scores by_pairs(PairScore score) {
    return [=](const Matrix& queries, const Matrix& keys, const Vector& v) {
        return each_pair(queries, keys, v, score);
    };
}

#define WRONG_SCORES(name, explanation, ...)                                                       \
    MISCONCEPTION(additive_scores, name, explanation, of_states_and_keys(__VA_ARGS__));            \
    MISCONCEPTION(additive_scores_from, name##_from, explanation, of_projected_keys(__VA_ARGS__))

// ---- changed in place

/// The keys are changed for each state, and the next one goes on from there: squashed says whether
/// the tanh stays in them, too.
Scores keys_changed_in_place(bool squashed) {
    return [=](const Matrix& queries, const Matrix& keys, const Vector& v) {
        Matrix work = keys;
        Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                scores(i, j) = 0;
                for (std::size_t a = 0; a < v.size(); ++a) {
                    work(j, a) += queries(i, a);
                    const double hidden = std::tanh(work(j, a));
                    work(j, a) = squashed ? hidden : work(j, a);
                    scores(i, j) += v(a) * hidden;
                }
            }
        }
        return scores;
    };
}

WRONG_SCORES(squashed_keys_carried_on,
             "one copy of the keys serves all states, and is changed in place: a state is added to "
             "it, and tanh taken. From the second state on there are no keys in it any more, but "
             "what the state before has made of them. Make a fresh copy for each state, or add "
             "where the sum is used.",
             keys_changed_in_place(true));

WRONG_SCORES(states_added_up_in_the_keys,
             "each state is added to one and the same copy of the keys (+=), and never taken away: "
             "from the second state on the states before it are in there, too. Make a fresh copy "
             "for each state, or add where the sum is used.",
             keys_changed_in_place(false));

/// The same with the state, which goes on from key to key.
Scores state_changed_in_place(bool squashed) {
    return [=](const Matrix& queries, const Matrix& keys, const Vector& v) {
        Matrix scores = Matrix::from_shape({queries.shape(0), keys.shape(0)});
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            Vector work = wrong::row(queries, i);
            for (std::size_t j = 0; j < scores.shape(1); ++j) {
                scores(i, j) = 0;
                for (std::size_t a = 0; a < v.size(); ++a) {
                    work(a) += keys(j, a);
                    const double hidden = std::tanh(work(a));
                    work(a) = squashed ? hidden : work(a);
                    scores(i, j) += v(a) * hidden;
                }
            }
        }
        return scores;
    };
}

WRONG_SCORES(squashed_state_carried_on,
             "one copy of the state serves all keys, and is changed in place: a key is added to "
             "it, and tanh taken. From the second key on it is no state any more, but what the key "
             "before has made of it. Keep the state as it is, and add where the sum is used.",
             state_changed_in_place(true));

WRONG_SCORES(keys_added_up_in_the_state,
             "each key is added to one and the same vector (+=), which is not set back to the "
             "state: it contains the keys before it, too. Add where the sum is used.",
             state_changed_in_place(false));

// ---- numbers of another size

WRONG_SCORES(v_made_length_1,
             "v is divided by its length, as if only its direction counted. How long it is says "
             "how much scores may differ, and so how certain attention can become; training "
             "learns that. v · tanh(…), with v as it is.",
             [](const Matrix& queries, const Matrix& keys, const Vector& v) {
                 double squares = 0;
                 for (const double x : v) {
                     squares += x * x;
                 }
                 const Vector direction = v / (squares > 0 ? std::sqrt(squares) : 1);
                 return each_pair(queries, keys, direction, right_score);
             });

WRONG_SCORES(key_halved,
             "half of the key is added to the state, tanh(q + k / 2), as where tanh is written "
             "with exp(2 * q + k): 2 has to be multiplied with the whole sum, 2 * (q + k). In a "
             "macro, put its parameter into parentheses; or use std::tanh.",
             by_pairs(sum_of([](double q, double k, double v) {
                 return v * std::tanh(q + k / 2);
             })));

WRONG_SCORES(state_halved,
             "half of the state is added to the key, tanh(q / 2 + k), as where tanh is written "
             "with exp(q + 2 * k): 2 has to be multiplied with the whole sum, 2 * (q + k).",
             by_pairs(sum_of([](double q, double k, double v) {
                 return v * std::tanh(q / 2 + k);
             })));

/// Something that depends on a row is taken from all its scores.
Scores taken_off(std::function<double(const Vector& scores)> amount) {
    return [=](const Matrix& queries, const Matrix& keys, const Vector& v) {
        Matrix scores = each_pair(queries, keys, v, right_score);
        for (std::size_t i = 0; i < scores.shape(0); ++i) {
            xt::view(scores, i, xt::all()) -= amount(wrong::row(scores, i));
        }
        return scores;
    };
}

WRONG_SCORES(largest_of_the_row_subtracted,
             "the largest score of each row is subtracted from it. A softmax does that inside, and "
             "its weights stay the same; but these are the scores themselves, which are asked for "
             "as they are.",
             taken_off([](const Vector& scores) {
                 return *std::max_element(scores.begin(), scores.end());
             }));

WRONG_SCORES(mean_of_the_row_subtracted,
             "the mean of each row's scores is subtracted from it. A softmax would not notice; but "
             "these are the scores themselves, which are asked for as they are.",
             taken_off([](const Vector& scores) {
                 return xt::sum(scores)() / static_cast<double>(scores.size());
             }));

constexpr const char* says_saturated =
    "from some size on, such as 3, 5 or 10, tanh is taken for 1 or −1. 1 − tanh(5) is 0.00009, and "
    "counts in scores of ten digits. std::tanh knows where it is 1 to the last one.";

PairScore saturated_beyond(double limit) {
    return sum_of([=](double q, double k, double v) {
        const double x = q + k;
        return v * (std::abs(x) > limit ? (x > 0 ? 1 : -1) : std::tanh(x));
    });
}

WRONG_SCORES(saturated_beyond_3, says_saturated, by_pairs(saturated_beyond(3)));
WRONG_SCORES(saturated_beyond_4, says_saturated, by_pairs(saturated_beyond(4)));
WRONG_SCORES(saturated_beyond_5, says_saturated, by_pairs(saturated_beyond(5)));
WRONG_SCORES(saturated_beyond_6, says_saturated, by_pairs(saturated_beyond(6)));
WRONG_SCORES(saturated_beyond_8, says_saturated, by_pairs(saturated_beyond(8)));
WRONG_SCORES(saturated_beyond_10, says_saturated, by_pairs(saturated_beyond(10)));

// ---- short cuts

constexpr const char* says_counted_twice =
    "the components are added in blocks, and the last block is moved back so that it is full: it "
    "contains components that have been added already. Add what is left one by one.";

/// Where there are as many as a block, blocks of so many, the last of which ends with the last.
PairScore last_block_moved_back(std::size_t block) {
    return [=](const Vector& q, const Vector& k, const Vector& v) {
        double sum = right_score(q, k, v);
        const std::size_t left = v.size() % block;
        if (left > 0 && v.size() > block) {
            for (std::size_t a = v.size() - block; a < v.size() - left; ++a) {
                sum += v(a) * std::tanh(q(a) + k(a));
            }
        }
        return sum;
    };
}

WRONG_SCORES(last_block_of_2_moved_back, says_counted_twice, by_pairs(last_block_moved_back(2)));
WRONG_SCORES(last_block_of_4_moved_back, says_counted_twice, by_pairs(last_block_moved_back(4)));
WRONG_SCORES(last_block_of_8_moved_back, says_counted_twice, by_pairs(last_block_moved_back(8)));

constexpr const char* says_symmetric =
    "where states and keys are the same, the scores are taken for symmetric, and only half of them "
    "computed. W_s and W_h are two matrices: state i and key j make another score than state j and "
    "key i.";

/// below: whether the scores below the diagonal are those above it, or the other way round.
auto symmetric_if_alike(bool below) {
    return [=](const Matrix& S, const Matrix& H, const Matrix& W_s, const Matrix& W_h,
               const Vector& v) -> Matrix {
        Matrix scores = of_states_and_keys(by_pairs(right_score))(S, H, W_s, W_h, v);
        if (S == H) {
            for (std::size_t i = 0; i < scores.shape(0); ++i) {
                for (std::size_t j = i + 1; j < scores.shape(1); ++j) {
                    (below ? scores(j, i) : scores(i, j)) = below ? scores(i, j) : scores(j, i);
                }
            }
        }
        return scores;
    };
}

MISCONCEPTION(additive_scores, symmetric_below, says_symmetric, symmetric_if_alike(true));
MISCONCEPTION(additive_scores, symmetric_above, says_symmetric, symmetric_if_alike(false));

} // namespace

} // namespace misconceptions_scores_slips
