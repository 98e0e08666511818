// Right solutions of lesson 12 written otherwise: each must pass.

#include "exports.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <sstream>

#include "support/agree.hpp"

namespace {

using lesson::Matrix;
using lesson::Vector;

ALTERNATIVE(rms_norm, by_the_length, [](const Vector& x, const Vector& gain) -> Vector {
    support::agree(x, 0, gain, 0);
    double squares = 0;
    for (const double each : x) {
        squares += each * each;
    }
    const double n = double(x.size());
    return x * (std::sqrt(n) / std::sqrt(squares + n * 1e-5)) * gain;
});

ALTERNATIVE(swiglu, by_tanh,
            [](const Vector& x, const Matrix& gate, const Matrix& up,
               const Matrix& down) -> Vector {
                lesson::require_fit(x, gate, up, down);
                Vector hidden = Vector::from_shape({gate.shape(0)});
                for (std::size_t i = 0; i < hidden.size(); ++i) {
                    const double z = xt::sum(xt::view(gate, i, xt::all()) * x)();
                    const double silu = z < -30 ? z * std::exp(z) : z / (1 + std::exp(-z));
                    hidden(i) = silu * xt::sum(xt::view(up, i, xt::all()) * x)();
                }
                return lesson::times(down, hidden);
            });

/// Lists all pairs that can be joined before it chooses one.
llama::Tokens by_a_list_of_pairs(const std::string& text, const llama::Vocabulary& vocabulary) {
    llama::Tokens tokens{llama::start_of_text};
    std::string rest = text.empty() ? "" : " " + text;
    while (!rest.empty()) {
        std::size_t length = 1;
        while (length < rest.size() && static_cast<unsigned char>(rest[length]) >= 0x80 &&
               static_cast<unsigned char>(rest[length]) < 0xC0) {
            ++length;
        }
        if (const auto token = vocabulary.find(rest.substr(0, length))) {
            tokens.push_back(*token);
        } else {
            for (std::size_t i = 0; i < length; ++i) {
                tokens.push_back(llama::first_byte + static_cast<unsigned char>(rest[i]));
            }
        }
        rest.erase(0, length);
    }
    const auto joined = [&](std::size_t i) {
        return vocabulary.find(vocabulary.piece(tokens[i]) + vocabulary.piece(tokens[i + 1]));
    };
    for (;;) {
        std::vector<std::size_t> places; // of all pairs whose union is a piece
        for (std::size_t i = 1; i + 1 < tokens.size(); ++i) {
            if (joined(i)) {
                places.push_back(i);
            }
        }
        if (places.empty()) {
            return tokens;
        }
        const std::size_t best =
            *std::max_element(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
                return vocabulary.score(*joined(a)) < vocabulary.score(*joined(b));
            });
        tokens[best] = *joined(best);
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(best + 1));
    }
}

ALTERNATIVE_IN(with_pieces, encode, by_a_list_of_pairs,
               [](const std::string& text, const std::optional<with_pieces::Pieces>& vocabulary) {
                   return with_pieces::encode_by(by_a_list_of_pairs, text, vocabulary);
               });

/// Subtracts each array from the numbers that the file has left.
llama::Checkpoint array_by_array(const std::string& bytes) {
    std::istringstream in(bytes);
    std::array<std::int32_t, 7> head{};
    if (!in.read(reinterpret_cast<char*>(head.data()), sizeof head)) {
        throw std::invalid_argument("read_checkpoint: the file has no seven sizes");
    }
    const bool own_output = head[5] < 0;
    std::array<std::uint64_t, 7> s{};
    for (std::size_t i = 0; i < 7; ++i) {
        const std::int64_t size = i == 5 && own_output ? -std::int64_t{head[i]} : head[i];
        if (size <= 0) {
            throw std::invalid_argument("read_checkpoint: a size is not positive");
        }
        s[i] = static_cast<std::uint64_t>(size);
    }
    if (s[3] > s[0] || s[0] % s[3] != 0 || s[0] / s[3] % 2 != 0 || s[3] % s[4] != 0) {
        throw std::invalid_argument("read_checkpoint: the heads do not fit");
    }
    const std::uint64_t d = s[0] / s[3], kv = s[4] * d;
    std::uint64_t left = bytes.size() - sizeof head;
    const auto take = [&](std::uint64_t times, std::uint64_t rows, std::uint64_t columns) {
        if (4.0 * double(times) * double(rows) * double(columns) > double(left)) {
            throw std::invalid_argument("read_checkpoint: the file is too short");
        }
        left -= 4 * times * rows * columns;
    };
    take(own_output ? 2 : 1, s[5], s[0]);
    take(s[2], 2 + 2 * (s[0] + kv), s[0]);
    take(s[2], 3 * s[1], s[0]);
    take(1, 1, s[0]);
    take(1, s[6], d);
    if (left != 0) {
        throw std::invalid_argument("read_checkpoint: the file is too long");
    }
    llama::Checkpoint model = llama::zeros({s[0], s[1], s[2], s[3], s[4], s[5], s[6]});
    const auto read = [&](auto& array) {
        for (double& x : array) {
            float number = 0;
            in.read(reinterpret_cast<char*>(&number), sizeof number);
            x = double(number);
        }
    };
    llama::each_array(model, read);
    in.ignore(static_cast<std::streamsize>(4 * s[6] * d));
    model.output = model.tokens;
    if (own_output) {
        read(model.output);
    }
    return model;
}

ALTERNATIVE_IN(on_bytes, read_checkpoint, array_by_array,
               [](const on_bytes::Head& sizes, const attention::VectorF& numbers,
                  std::size_t n_bytes) {
                   return on_bytes::read_checkpoint_by(array_by_array, sizes, numbers, n_bytes);
               });

/// Rotates by complex numbers, and keeps a running maximum and sum, as in lesson 10.
Vector by_complex_numbers(std::size_t token, std::size_t position, const llama::Checkpoint& model,
                          lesson::Cache& cache) {
    lesson::require_next(token, position, model, cache);
    const llama::Sizes& s = model.sizes;
    const std::size_t d = s.dim / s.n_heads;
    const auto rotated = [&](Vector y) {
        for (std::size_t i = 0; i < y.size(); i += 2) {
            const double omega = std::exp(-std::log(10000.0) * double(i % d) / double(d));
            const auto z =
                std::complex<double>(y(i), y(i + 1)) * std::polar(1.0, double(position) * omega);
            y(i) = z.real();
            y(i + 1) = z.imag();
        }
        return y;
    };
    Vector x = xt::view(model.tokens, token, xt::all());
    auto layer = cache.begin();
    for (const llama::Layer& w : model.layers) {
        const Vector y = lesson::rms_norm(x, w.attention_gain);
        const Vector q = rotated(lesson::times(w.W_q, y));
        layer->keys.push_back(rotated(lesson::times(w.W_k, y)));
        layer->values.push_back(lesson::times(w.W_v, y));
        Vector read = xt::zeros<double>({s.dim});
        for (std::size_t h = 0; h < s.n_heads; ++h) {
            double most = -1e300, sum = 0;
            std::vector<double> mixed(d, 0.0);
            for (std::size_t j = 0; j <= position; ++j) {
                double score = 0;
                const std::size_t first = h * s.n_kv_heads / s.n_heads * d;
                for (std::size_t c = 0; c < d; ++c) {
                    score += q(h * d + c) * layer->keys[j](first + c);
                }
                score /= std::sqrt(double(d));
                const double now = std::max(most, score), kept = std::exp(most - now);
                sum = sum * kept + std::exp(score - now);
                for (std::size_t c = 0; c < d; ++c) {
                    mixed[c] =
                        mixed[c] * kept + std::exp(score - now) * layer->values[j](first + c);
                }
                most = now;
            }
            for (std::size_t c = 0; c < d; ++c) {
                read(h * d + c) = mixed[c] / sum;
            }
        }
        x += lesson::times(w.W_o, read);
        x += lesson::swiglu(lesson::rms_norm(x, w.mlp_gain), w.W_gate, w.W_up, w.W_down);
        ++layer;
    }
    return lesson::times(model.output, lesson::rms_norm(x, model.last_gain));
}

ALTERNATIVE_IN(on_a_text, next_logits, by_complex_numbers,
               [](const llama::Tokens& tokens, const std::optional<llama::Checkpoint>& model) {
                   return on_a_text::next_logits_by(by_complex_numbers, tokens, model);
               });

} // namespace
