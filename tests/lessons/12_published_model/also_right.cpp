// Right solutions of lesson 12 written otherwise: each must pass.

#include "exports.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

#include "attention/attention.hpp"
#include "support/agree.hpp"

namespace {

using lesson::Matrix;
using lesson::Vector;

ALTERNATIVE(rms_norm, by_the_length, [](const Vector& x, const Vector& gain) -> Vector {
    support::agree(x, 0, gain, 0);
    const double n = double(x.size());
    return x * (std::sqrt(n) / std::sqrt(xt::sum(x * x)() + n * 1e-5)) * gain;
});

ALTERNATIVE(swiglu, gate_by_gate,
            [](const Vector& x, const Matrix& gate, const Matrix& up,
               const Matrix& down) -> Vector {
                lesson::require_fit(x, gate, up, down);
                Vector hidden = lesson::times(gate, x);
                for (std::size_t i = 0; i < hidden.size(); ++i) {
                    const double z = hidden(i);
                    const double silu = z < -30 ? z * std::exp(z) : z / (1 + std::exp(-z));
                    hidden(i) = silu * xt::sum(xt::view(up, i, xt::all()) * x)();
                }
                return lesson::times(down, hidden);
            });

/// Characters from the last to the first, and all unions by their scores.
llama::Tokens from_the_end(const std::string& text, const llama::Vocabulary& vocabulary) {
    llama::Tokens tokens;
    std::string rest = text.empty() ? "" : " " + text, character;
    for (; !rest.empty(); rest.pop_back()) {
        character = rest.back() + character;
        if (static_cast<unsigned char>(rest.back()) >> 6U == 2) {
            continue;
        }
        if (const auto token = vocabulary.find(character)) {
            tokens.insert(tokens.begin(), *token);
            character.clear();
        }
        for (; !character.empty(); character.pop_back()) {
            tokens.insert(tokens.begin(), 3U + static_cast<unsigned char>(character.back()));
        }
    }
    tokens.insert(tokens.begin(), 1);
    while (true) {
        std::map<double, std::pair<std::size_t, std::size_t>> unions; // of equals the first
        for (std::size_t i = tokens.size() - 1; i-- > 1;) {
            const auto both = vocabulary.piece(tokens[i]) + vocabulary.piece(tokens[i + 1]);
            if (const auto token = vocabulary.find(both)) {
                unions[vocabulary.score(*token)] = {i, *token};
            }
        }
        if (unions.empty()) {
            return tokens;
        }
        const auto [place, token] = unions.rbegin()->second;
        tokens[place] = token;
        tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
    }
}

ALTERNATIVE_IN(from_files, encode, from_the_end,
               [](const std::string& text, const std::optional<from_files::Pieces>& vocabulary) {
                   return from_files::encode_by(from_the_end, text, vocabulary);
               });

/// Counts in long double, and takes the arrays as the library lists them.
llama::Checkpoint as_listed(const std::string& bytes) {
    std::array<std::int32_t, 7> head{};
    bytes.copy(reinterpret_cast<char*>(head.data()), sizeof head);
    std::array<long double, 7> s{};
    std::copy(head.begin(), head.end(), s.begin());
    const bool has_output = s[5] < 0;
    s[5] = std::abs(s[5]);
    const long double d = s[0] / s[3], kv = s[4] * d;
    const long double per_layer = s[0] * (2 + 2 * s[0] + 2 * kv + 3 * s[1]);
    const long double all = (has_output ? 2 : 1) * s[5] * s[0] + s[2] * per_layer + s[0] + s[6] * d;
    if (*std::min_element(s.begin(), s.end()) < 1 || std::fmod(d, 2) != 0 ||
        std::fmod(s[3], s[4]) != 0 || 28 + 4 * all != static_cast<long double>(bytes.size())) {
        throw std::invalid_argument("read_checkpoint: sizes and bytes do not fit");
    }
    const auto size = [&](std::size_t i) { return static_cast<std::size_t>(s[i]); };
    auto model = llama::zeros({size(0), size(1), size(2), size(3), size(4), size(5), size(6)});
    std::istringstream in(bytes.substr(28));
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
    if (has_output) {
        read(model.output);
    }
    return model;
}

ALTERNATIVE_IN(from_files, read_checkpoint, as_listed,
               [](const std::vector<std::int32_t>& sizes, const attention::VectorF& numbers,
                  std::size_t n_bytes) {
                   return from_files::read_checkpoint_by(as_listed, sizes, numbers, n_bytes);
               });

/// Calls the library's attention, one query a head, and turns pairs by their angle.
Vector by_heads(std::size_t token, std::size_t position, const llama::Checkpoint& model,
                lesson::Cache& cache) {
    lesson::require_next(token, position, model, cache);
    const llama::Sizes& s = model.sizes;
    const std::size_t d = s.dim / s.n_heads, n = position + 1;
    const auto rotated = [&](Vector y) {
        for (std::size_t i = 0; i < y.size(); i += 2) {
            const double angle =
                double(position) * std::exp(-std::log(10000.0) * double(i % d) / double(d));
            const double length = std::hypot(y(i), y(i + 1));
            const double turned = std::atan2(y(i + 1), y(i)) + angle;
            y(i) = length * std::cos(turned);
            y(i + 1) = length * std::sin(turned);
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
            const std::size_t first = h * s.n_kv_heads / s.n_heads * d;
            Matrix Q = Matrix::from_shape({1, d}), K = Matrix::from_shape({n, d}), V = K;
            for (std::size_t i = 0; i < n * d; ++i) {
                Q(0, i % d) = q(h * d + i % d);
                K.flat(i) = layer->keys[i / d](first + i % d);
                V.flat(i) = layer->values[i / d](first + i % d);
            }
            xt::view(read, xt::range(h * d, (h + 1) * d)) =
                xt::row(attention::attention(Q, K, V).output, 0);
        }
        x += lesson::times(w.W_o, read);
        x += lesson::swiglu(lesson::rms_norm(x, w.mlp_gain), w.W_gate, w.W_up, w.W_down);
        ++layer;
    }
    return lesson::times(model.output, lesson::rms_norm(x, model.last_gain));
}

ALTERNATIVE_IN(from_files, next_logits, by_heads,
               [](const llama::Tokens& tokens, const std::optional<llama::Checkpoint>& model) {
                   return from_files::next_logits_by(by_heads, tokens, model);
               });

} // namespace
