#pragma once

// A file's bytes are given as sizes and numbers, a cache cannot travel, and a model may be the
// project's own, which is in the lesson's folder.

#include <cstdint>
#include <cstring>
#include <optional>

#include "judge/export.hpp"
#include "published_model.hpp"

namespace on_bytes {

using Head = std::vector<std::int32_t>;

/// Whether the file is refused, which is an answer here as others are; if not, what was read.
struct Answer {
    bool refused = false;
    llama::Checkpoint model = {};
};

/// Any read_checkpoint, of the sizes and the numbers as float32, cut or filled to n_bytes.
template <class Read>
Answer read_checkpoint_by(const Read& read, const Head& sizes, const attention::VectorF& numbers,
                          std::size_t n_bytes) {
    std::string bytes(reinterpret_cast<const char*>(sizes.data()), 4 * sizes.size());
    bytes.append(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
    bytes.resize(n_bytes, '\1');
    try {
        return {false, read(bytes)};
    } catch (const std::invalid_argument&) {
        return {true};
    }
}
inline Answer read_checkpoint(const Head& sizes, const attention::VectorF& numbers,
                              std::size_t n_bytes) {
    return read_checkpoint_by(lesson::read_checkpoint, sizes, numbers, n_bytes);
}

} // namespace on_bytes

namespace with_pieces {

/// Of the tokens from 259 on.
struct Pieces {
    std::vector<std::string> pieces;
    std::vector<double> scores;
};

/// Without any, the project's own.
inline llama::Vocabulary vocabulary_of(const std::optional<Pieces>& given) {
    const llama::Vocabulary own = llama::read_vocabulary(llama::own_file("pieces.bin"), 512);
    if (!given) {
        return own;
    }
    std::vector<std::string> pieces;
    for (std::size_t token = 0; token < llama::first_piece; ++token) {
        pieces.push_back(own.piece(token));
    }
    std::vector<double> scores(llama::first_piece, 0.0);
    pieces.insert(pieces.end(), given->pieces.begin(), given->pieces.end());
    scores.insert(scores.end(), given->scores.begin(), given->scores.end());
    return {pieces, scores};
}

template <class Encode>
llama::Tokens encode_by(const Encode& encode, const std::string& text,
                        const std::optional<Pieces>& vocabulary) {
    return encode(text, vocabulary_of(vocabulary));
}
inline llama::Tokens encode(const std::string& text, const std::optional<Pieces>& vocabulary) {
    return encode_by(lesson::encode, text, vocabulary);
}

} // namespace with_pieces

namespace on_a_text {

/// Of each token a row, and of each layer as many rows of keys and of values.
struct Read {
    attention::Matrix logits, keys, values;
    std::vector<std::string> pieces = {}; // of the project's own vocabulary, for its own model
};

/// Row i of an array; what has another size is no answer.
inline void put(attention::Matrix& rows, std::size_t i, const attention::Vector& row) {
    if (row.size() != rows.shape(1)) {
        throw std::length_error("next_logits: logits, a key or a value of " +
                                std::to_string(row.size()) + " numbers in place of " +
                                std::to_string(rows.shape(1)));
    }
    xt::row(rows, static_cast<std::ptrdiff_t>(i)) = row;
}

template <class Next>
Read next_logits_by(const Next& next, const llama::Tokens& tokens,
                    const std::optional<llama::Checkpoint>& given) {
    const llama::Checkpoint model =
        given ? *given : lesson::read_checkpoint(llama::own_file("stories.bin"));
    const std::size_t n = tokens.size(), L = model.layers.size();
    const std::size_t kv = model.layers.at(0).W_k.shape(0);
    lesson::Cache cache(L);
    Read all{xt::zeros<double>({n, model.tokens.shape(0)}), xt::zeros<double>({L * n, kv}),
             xt::zeros<double>({L * n, kv})};
    for (std::size_t i = 0; i < n; ++i) {
        put(all.logits, i, next(tokens[i], i, model, cache));
    }
    for (std::size_t i = 0; i < L * n; ++i) {
        put(all.keys, i, cache.at(i / n).keys.at(i % n));
        put(all.values, i, cache.at(i / n).values.at(i % n));
    }
    if (!given) {
        const llama::Vocabulary own = with_pieces::vocabulary_of(std::nullopt);
        for (std::size_t token = 0; token < own.size(); ++token) {
            all.pieces.push_back(own.piece(token));
        }
    }
    return all;
}

inline Read next_logits(const llama::Tokens& tokens,
                        const std::optional<llama::Checkpoint>& model) {
    return next_logits_by(lesson::next_logits, tokens, model);
}

} // namespace on_a_text

JUDGE_STRUCT(llama::Sizes, dim, hidden, n_layers, n_heads, n_kv_heads, n_tokens, context);
JUDGE_STRUCT(llama::Layer, attention_gain, W_q, W_k, W_v, W_o, mlp_gain, W_gate, W_down, W_up);
JUDGE_STRUCT(llama::Checkpoint, sizes, tokens, layers, last_gain, output);
JUDGE_STRUCT(on_bytes::Answer, refused, model);
JUDGE_STRUCT(with_pieces::Pieces, pieces, scores);
JUDGE_STRUCT(on_a_text::Read, logits, keys, values, pieces);

JUDGE_FUNCTION(rms_norm, x, gain);
JUDGE_FUNCTION(swiglu, x, W_gate, W_up, W_down);
JUDGE_FUNCTION_IN(with_pieces, encode, text, vocabulary);
JUDGE_FUNCTION_IN(on_bytes, read_checkpoint, sizes, numbers, n_bytes);
JUDGE_FUNCTION_IN(on_a_text, next_logits, tokens, model);
JUDGE_SHOWN_AS(
    read_checkpoint,
    "read_checkpoint of these sizes and numbers as bytes, cut or filled to n_bytes (refused: it "
    "throws std::invalid_argument),");
JUDGE_SHOWN_AS(next_logits, "next_logits of each of the tokens in turn, with one cache,");
