// Wrong versions of 10.4 that people really write: what goes wrong on the way to a fast form. The
// answers are right to more digits than a float has, but for the mistake.

#include "wrong.hpp"

using namespace wrong;

namespace {

using InF = const MatrixF&;

/// The right answer of other arguments, or of other parts.
struct Faster {
    std::function<double(In Q, In V)> divisor = [](auto& Q, auto&) { return root(Q.shape(1)); };
    std::function<double(double)> exponential = [](double x) { return std::exp(x); };
    std::size_t keys_in_whole = 1;    // keys past a multiple of it are lost
    std::size_t values_in_whole = 1;  // components of V likewise: 0
    std::size_t queries_in_whole = 1; // queries likewise: 0
    std::size_t d_k_in_whole = 1;     // components of Q and K likewise
    std::size_t padded_to = 1;        // keys of score 0 count up to a multiple of it
    bool subtracts_maximum = true;
    bool divides = true;

    MatrixF operator()(InF Q_f, InF K_f, InF V_f, std::size_t) const {
        lesson::require_fit("faster_attention", Q_f, K_f, V_f);
        const Matrix Q = xt::cast<double>(Q_f), K = xt::cast<double>(K_f),
                     V = xt::cast<double>(V_f);
        const auto whole = [](std::size_t n, std::size_t of) { return n / of * of; };
        const std::size_t n_keys = whole(K.shape(0), keys_in_whole);
        const std::size_t padding = (padded_to - K.shape(0) % padded_to) % padded_to;
        MatrixF output = xt::zeros<float>({Q.shape(0), V.shape(1)});
        for (std::size_t i = 0; i < whole(Q.shape(0), queries_in_whole); ++i) {
            std::vector<double> scores(n_keys);
            double maximum = padding > 0 ? 0 : -infinity;
            for (std::size_t j = 0; j < n_keys; ++j) {
                for (std::size_t c = 0; c < whole(Q.shape(1), d_k_in_whole); ++c) {
                    scores[j] += Q(i, c) * K(j, c);
                }
                scores[j] /= divisor(Q, V);
                maximum = std::max(maximum, scores[j]);
            }
            maximum = subtracts_maximum ? maximum : 0;
            double sum = padding > 0 ? real(padding) * exponential(-maximum) : 0.0;
            std::vector<double> mixed(V.shape(1));
            for (std::size_t j = 0; j < n_keys; ++j) {
                // In a float, as it would be there.
                const double p =
                    static_cast<double>(static_cast<float>(exponential(scores[j] - maximum)));
                sum += p;
                for (std::size_t c = 0; c < mixed.size(); ++c) {
                    mixed[c] += p * V(j, c);
                }
            }
            for (std::size_t c = 0; c < whole(mixed.size(), values_in_whole); ++c) {
                output(i, c) = static_cast<float>(divides ? mixed[c] / sum : mixed[c]);
            }
        }
        return output;
    }
};

template <class Change>
Faster with(Change change) {
    Faster wrong;
    change(wrong);
    return wrong;
}

MISCONCEPTION(faster_attention, scale_forgotten, "the scores are not divided by √d_k.",
              with([](auto& f) { f.divisor = [](auto&, auto&) { return 1.0; }; }));
MISCONCEPTION(faster_attention, divided_by_d_k,
              "the scores are divided by d_k. It is its square root.",
              with([](auto& f) { f.divisor = [](auto& Q, auto&) { return real(Q.shape(1)); }; }));
MISCONCEPTION(faster_attention, root_of_d_v,
              "the scores are divided by √d_v. It is d_k, the components of a query.",
              with([](auto& f) { f.divisor = [](auto&, auto& V) { return root(V.shape(1)); }; }));
MISCONCEPTION(faster_attention, powers_of_two,
              "the weights are powers of 2 in place of e: exp2 needs scores that were multiplied "
              "by log₂ e.",
              with([](auto& f) { f.exponential = [](double x) { return std::exp2(x); }; }));
MISCONCEPTION(faster_attention, exponential_of_two_digits,
              "the exponential is too rough: bits of a float put together without a correction "
              "(Schraudolph's way) are right to some 6 per cent. A polynomial of degree 5 for the "
              "fraction has seven digits.",
              with([](auto& f) {
                  f.exponential = [](double x) {
                      const double power = x * 1.4426950408889634;
                      const double whole = std::floor(power);
                      return std::ldexp(1 + (power - whole), static_cast<int>(whole));
                  };
              }));
MISCONCEPTION(faster_attention, no_maximum,
              "no maximum is subtracted: in a float exp overflows at 89 already.",
              with([](auto& f) { f.subtracts_maximum = false; }));
MISCONCEPTION(faster_attention, output_not_divided,
              "the output is not divided by the sum of the exponentials.",
              with([](auto& f) { f.divides = false; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_4_lost,
              "where n_keys is no multiple of 4, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              with([](auto& f) { f.keys_in_whole = 4; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_8_lost,
              "where n_keys is no multiple of 8, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              with([](auto& f) { f.keys_in_whole = 8; }));
MISCONCEPTION(faster_attention, keys_past_a_register_of_16_lost,
              "where n_keys is no multiple of 16, the keys past it are left out. Compute those one "
              "by one, or fill up with keys of score −∞.",
              with([](auto& f) { f.keys_in_whole = 16; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_4_lost,
              "where d_v is no multiple of 4, the components of the output past it are 0.",
              with([](auto& f) { f.values_in_whole = 4; }));
MISCONCEPTION(faster_attention, values_past_a_register_of_8_lost,
              "where d_v is no multiple of 8, the components of the output past it are 0.",
              with([](auto& f) { f.values_in_whole = 8; }));
MISCONCEPTION(faster_attention, queries_past_a_block_of_4_lost,
              "where n_queries is no multiple of 4, the outputs of the queries past it are 0.",
              with([](auto& f) { f.queries_in_whole = 4; }));
MISCONCEPTION(faster_attention, queries_past_a_block_of_8_lost,
              "where n_queries is no multiple of 8, the outputs of the queries past it are 0.",
              with([](auto& f) { f.queries_in_whole = 8; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_4_lost,
              "where d_k is no multiple of 4, the components past it are left out of the scores.",
              with([](auto& f) { f.d_k_in_whole = 4; }));
MISCONCEPTION(faster_attention, components_past_a_register_of_8_lost,
              "where d_k is no multiple of 8, the components past it are left out of the scores.",
              with([](auto& f) { f.d_k_in_whole = 8; }));
MISCONCEPTION(faster_attention, padding_to_4_counts,
              "keys are filled up to a multiple of 4 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 4; }));
MISCONCEPTION(faster_attention, padding_to_8_counts,
              "keys are filled up to a multiple of 8 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 8; }));
MISCONCEPTION(faster_attention, padding_to_16_counts,
              "keys are filled up to a multiple of 16 with zeros, and their scores of 0 count in "
              "the sum. Past the last key a score has to be −∞.",
              with([](auto& f) { f.padded_to = 16; }));

} // namespace
