// Wrong versions that people really write; see misconceptions.cpp for what becomes of them. Here a
// dot product is made of squared lengths.

#include "wrong.hpp"

namespace misconceptions_lengths {

using namespace wrong;

namespace {

using M = const Matrix&;
using S = std::size_t;

constexpr const char* says_squared_lengths =
    "the dot product is made from squared lengths, as (‖q‖² + ‖k‖² − ‖q − k‖²) / 2 or "
    "(‖q + k‖² − ‖q − k‖²) / 4. On paper that is the same; where one vector is far longer "
    "than the other, the difference of two large numbers has lost all digits of the "
    "score. Sum the products.";

/// Component by component.
WRONG_DOT_PRODUCTS(from_squared_lengths, says_squared_lengths, [](M Q, M K) {
    return in_loops(Q.shape(0), K.shape(0), Q.shape(1), [&](auto i, auto j, auto c) {
        const double sum = Q(i, c) + K(j, c), difference = Q(i, c) - K(j, c);
        return (sum * sum - difference * difference) / 4;
    });
});

/// score(‖q‖², ‖k‖², ‖q + k‖², ‖q − k‖²). What is lost depends on which of them are put together.
template <class Score>
auto of_whole_rows(Score score) {
    return [score](M Q, M K) {
        Matrix scores = Matrix::from_shape({Q.shape(0), K.shape(0)});
        for (S i = 0; i < Q.shape(0); ++i) {
            for (S j = 0; j < K.shape(0); ++j) {
                double of_sum = 0, of_difference = 0;
                for (S c = 0; c < Q.shape(1); ++c) {
                    of_sum += (Q(i, c) + K(j, c)) * (Q(i, c) + K(j, c));
                    of_difference += (Q(i, c) - K(j, c)) * (Q(i, c) - K(j, c));
                }
                scores(i, j) =
                    score(squared_length(Q, i), squared_length(K, j), of_sum, of_difference);
            }
        }
        return scores;
    };
}

WRONG_DOT_PRODUCTS(from_the_squared_distance, says_squared_lengths,
                   of_whole_rows([](double q, double k, double, double of_difference) {
                       return (q + k - of_difference) / 2;
                   }));
WRONG_DOT_PRODUCTS(from_the_squared_length_of_the_sum, says_squared_lengths,
                   of_whole_rows([](double q, double k, double of_sum, double) {
                       return (of_sum - q - k) / 2;
                   }));
WRONG_DOT_PRODUCTS(from_sum_and_difference, says_squared_lengths,
                   of_whole_rows([](double, double, double of_sum, double of_difference) {
                       return (of_sum - of_difference) / 4;
                   }));

} // namespace

} // namespace misconceptions_lengths
