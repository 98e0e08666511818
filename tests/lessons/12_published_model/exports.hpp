#pragma once

// A file's bytes are given as sizes and numbers, a cache cannot travel, and a model or a vocabulary
// may be the project's own, which is in the lesson's folder.

#include <cstdint>
#include <optional>

#include "judge/export.hpp"
#include "published_model.hpp"

namespace from_files {

using llama::Checkpoint;
using llama::Tokens;

/// The pieces of a vocabulary, from token 259 on.
struct Pieces {
    std::vector<std::string> pieces;
    std::vector<double> scores;
};

/// With these pieces or, without any, the project's own.
inline llama::Vocabulary vocabulary_of(const std::optional<Pieces>& given) {
    const llama::Vocabulary own = llama::read_vocabulary(llama::own_file("pieces.bin"), 512);
    if (!given) {
        return own;
    }
    std::vector<std::string> pieces = own.pieces();
    pieces.resize(llama::first_piece);
    std::vector<double> scores(llama::first_piece);
    pieces.insert(pieces.end(), given->pieces.begin(), given->pieces.end());
    scores.insert(scores.end(), given->scores.begin(), given->scores.end());
    return {pieces, scores};
}

template <class Encode>
Tokens encode_by(const Encode& encode, const std::string& text,
                 const std::optional<Pieces>& vocabulary) {
    return encode(text, vocabulary_of(vocabulary));
}
inline Tokens encode(const std::string& text, const std::optional<Pieces>& vocabulary) {
    return encode_by(lesson::encode, text, vocabulary);
}

/// Whether a file is refused, which is an answer here as others are; if not, what was read.
struct Answer {
    bool refused = false;
    Checkpoint model = {};
};

/// The sizes, and the numbers as float32, cut or filled to n_bytes.
template <class ReadCheckpoint>
Answer read_checkpoint_by(const ReadCheckpoint& read, const std::vector<std::int32_t>& sizes,
                          const attention::VectorF& numbers, std::size_t n_bytes) {
    std::string bytes(reinterpret_cast<const char*>(sizes.data()), 4 * sizes.size());
    bytes.append(reinterpret_cast<const char*>(numbers.data()), 4 * numbers.size());
    bytes.resize(n_bytes, '\1');
    try {
        return {false, read(bytes)};
    } catch (const std::invalid_argument&) {
        return {true};
    }
}
inline Answer read_checkpoint(const std::vector<std::int32_t>& sizes,
                              const attention::VectorF& numbers, std::size_t n_bytes) {
    return read_checkpoint_by(lesson::read_checkpoint, sizes, numbers, n_bytes);
}

/// The logits after each token, and what is cached at the end.
struct Read {
    std::vector<attention::Vector> logits;
    lesson::Cache cache;
    std::vector<std::string> pieces = {}; // of the project's own vocabulary, for its own model
};

template <class Next>
Read next_logits_by(const Next& next, const Tokens& tokens,
                    const std::optional<Checkpoint>& given) {
    const Checkpoint model =
        given ? *given : lesson::read_checkpoint(llama::own_file("stories.bin"));
    Read all{{}, lesson::Cache(model.layers.size())};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        all.logits.push_back(next(tokens[i], i, model, all.cache));
    }
    if (!given) {
        all.pieces = vocabulary_of(std::nullopt).pieces();
    }
    return all;
}

inline Read next_logits(const Tokens& tokens, const std::optional<Checkpoint>& model) {
    return next_logits_by(lesson::next_logits, tokens, model);
}

} // namespace from_files

JUDGE_STRUCT(llama::Sizes, dim, hidden, n_layers, n_heads, n_kv_heads, n_tokens, context);
JUDGE_STRUCT(llama::Layer, attention_gain, W_q, W_k, W_v, W_o, mlp_gain, W_gate, W_down, W_up);
JUDGE_STRUCT(llama::Checkpoint, sizes, tokens, layers, last_gain, output);
JUDGE_STRUCT(lesson::LayerCache, keys, values);
JUDGE_STRUCT(from_files::Pieces, pieces, scores);
JUDGE_STRUCT(from_files::Answer, refused, model);
JUDGE_STRUCT(from_files::Read, logits, cache, pieces);

JUDGE_FUNCTION(rms_norm, x, gain);
JUDGE_FUNCTION(swiglu, x, W_gate, W_up, W_down);
JUDGE_FUNCTION_IN(from_files, encode, text, vocabulary);
JUDGE_FUNCTION_IN(from_files, read_checkpoint, sizes, numbers, n_bytes);
JUDGE_FUNCTION_IN(from_files, next_logits, tokens, model);
JUDGE_SHOWN_AS(
    read_checkpoint,
    "read_checkpoint of these sizes and numbers as bytes, cut or filled to n_bytes (refused: it "
    "throws std::invalid_argument),");
JUDGE_SHOWN_AS(next_logits, "next_logits of each of the tokens in turn, with one cache,");
