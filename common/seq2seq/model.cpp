#include "seq2seq/model.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

namespace seq2seq {
namespace {

using autograd::GruInput;
using autograd::GruWeights;

// The parameters, in the order in which the model keeps them.
enum Index : std::size_t {
    source_embedding,
    forward_W_x,
    forward_b_x,
    forward_W_h,
    forward_b_h,
    backward_W_x,
    backward_b_x,
    backward_W_h,
    backward_b_h,
    W_keys,
    W_states,
    W_init,
    b_init,
    target_embedding,
    decoder_W_x,
    decoder_b_x,
    decoder_W_c,
    decoder_W_h,
    decoder_b_h,
    pre_W_s,
    pre_W_c,
    pre_W_e,
    pre_b,
    output_W,
    output_b,
    score_v,
};

// Every parameter as a value of one tape.
template <class T>
using Bound = std::vector<BasicValue<T>>;

template <class T>
Bound<T> bind(BasicTape<T>& tape, const Model<T>& model, Gradients<T>* gradients) {
    Bound<T> bound;
    for (std::size_t i = 0; i < model.parameters().size(); ++i) {
        const Array<T>& value = model.parameters()[i].value;
        bound.push_back(gradients == nullptr ? tape.reference(value)
                                             : tape.parameter(value, gradients->at(i)));
    }
    bound.resize(score_v + 1); // a v that the scorer does not use does not exist
    return bound;
}

template <class T>
struct Encoded {
    BasicValue<T> states; // (B, T_s, 2H)
    BasicValue<T> keys;   // (B, T_s, A)
    BasicValue<T> s_0;    // (B, H)
};

template <class T>
BasicValue<T> zeros(BasicTape<T>& tape, std::size_t rows, std::size_t columns) {
    return tape.constant(Array<T>(autograd::Shape{rows, columns}, T(0)));
}

template <class T>
Encoded<T> encode(BasicTape<T>& tape, const Bound<T>& w, const Batch& batch,
                  const Forward<T>& settings) {
    const BasicValue<T> x = dropout(embedding(w[source_embedding], batch.source), settings.dropout,
                                    mix(settings.seed, 1)); // (T_s · B, E)
    const auto run = [&](Index W_x, bool backwards) {
        const BasicValue<T> inputs = affine(x, w[W_x], w[W_x + 1]); // (T_s · B, 3H)
        BasicValue<T> h = zeros(tape, batch.size, w[W_x + 2].shape(0));
        std::vector<BasicValue<T>> steps(batch.source_steps);
        for (std::size_t i = 0; i < batch.source_steps; ++i) {
            const std::size_t t = backwards ? batch.source_steps - 1 - i : i;
            h = gru_step<T>({inputs, t, {}}, h, {w[W_x + 2], w[W_x + 3]}, batch.source_active[t]);
            steps[t] = h;
        }
        return stack(steps); // (B, T_s, H)
    };
    Encoded<T> encoded;
    encoded.states =
        autograd::concatenate<T>({run(forward_W_x, false), run(backward_W_x, true)}, 2);
    encoded.keys = product(encoded.states, w[W_keys]);
    Array<T> shares(autograd::Shape{batch.size, batch.source_steps}, T(0));
    for (std::size_t b = 0; b < batch.size; ++b) {
        std::fill_n(shares.data() + b * batch.source_steps, batch.source_lengths[b],
                    T(1) / static_cast<T>(batch.source_lengths[b]));
    }
    const BasicValue<T> mean = weighted_sum(tape.constant(std::move(shares)), encoded.states);
    encoded.s_0 = autograd::tanh(affine(mean, w[W_init], w[b_init]));
    return encoded;
}

class Stopwatch {
public:
    explicit Stopwatch(std::atomic<double>* seconds) : seconds_(seconds) {}
    void start() { started_ = std::chrono::steady_clock::now(); }
    void stop() {
        *seconds_ +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    }

private:
    std::atomic<double>* seconds_;
    std::chrono::steady_clock::time_point started_;
};

// The same value, with a function that is called during the backward pass.
template <class T, class Call>
BasicValue<T> on_backward(const BasicValue<T>& a, const Call& call) {
    return a.tape().record(Array<T>(a.data()), a.needs_gradient(),
                           [a, call](const Array<T>& dy, const Array<T>&) {
                               call();
                               a.add_gradient(dy.data());
                           });
}

// Scores, with their time measured: in the backward pass all of the scorer's work lies between the
// two marks.
template <class T>
BasicValue<T> timed_scores(const Scorer<T>& scorer, const BasicValue<T>& states,
                           const BasicValue<T>& keys, const BasicValue<T>& v,
                           std::atomic<double>* seconds) {
    if (seconds == nullptr) {
        return scorer.score(states, keys, v);
    }
    const auto watch = std::make_shared<Stopwatch>(seconds);
    const BasicValue<T> marked = on_backward(states, [watch] { watch->stop(); });
    watch->start();
    const BasicValue<T> scores = scorer.score(marked, keys, v);
    watch->stop();
    return on_backward(scores, [watch] { watch->start(); });
}

template <class T>
struct Step {
    BasicValue<T> weights; // (B, T_s)
    BasicValue<T> c;       // (B, 2H)
    BasicValue<T> s;       // (B, H)
};

// The weights that are zeroed in this step set to 0, the others of their rows divided by their sum.
template <class T>
Array<T> without(Array<T> weights, const std::vector<WeightAt>& zeroed, std::size_t target_word) {
    const std::size_t n = weights.shape(1);
    for (std::size_t b = 0; b < zeroed.size(); ++b) {
        T* row = weights.data() + b * n;
        T& weight = row[zeroed[b].source_word];
        const T others =
            std::accumulate(row, &weight, T(0)) + std::accumulate(&weight + 1, row + n, T(0));
        if (zeroed[b].target_word == target_word && others > T(0)) {
            weight = T(0);
            std::for_each(row, row + n, [&](T& other) { other /= others; });
        }
    }
    return weights;
}

// What every step of the decoder reads.
template <class T>
struct Decoder {
    const Scorer<T>& scorer;
    const Bound<T>& w;
    const Encoded<T>& encoded;
    const std::vector<std::size_t>& source_lengths;
    std::atomic<double>* scorer_seconds = nullptr;
    const std::vector<WeightAt>* zeroed = nullptr; // of each sentence one, or none
    std::size_t word = 0;                          // of the target that is written, for zeroed

    // x: the embedded target words' part of the gates, (T_t · B, 3H); c is added here
    Step<T> step(GruInput<T> x, const BasicValue<T>& s, const std::vector<char>& active) const {
        Step<T> step;
        const BasicValue<T> scores =
            timed_scores(scorer, product(s, w[W_states]), encoded.keys, w[score_v], scorer_seconds);
        step.weights = masked_softmax(scores, source_lengths);
        if (zeroed != nullptr) {
            auto weights = without(step.weights.data(), *zeroed, word);
            step.weights = scores.tape().constant(std::move(weights));
        }
        step.c = weighted_sum(step.weights, encoded.states);
        x.context = product(step.c, w[decoder_W_c]);
        step.s = gru_step(x, s, GruWeights<T>{w[decoder_W_h], w[decoder_b_h]}, active);
        return step;
    }
};

// s (rows, H), c (rows, 2H), y (rows, E) → (rows, E)
template <class T>
BasicValue<T> pre_output(const Bound<T>& w, const BasicValue<T>& s, const BasicValue<T>& c,
                         const BasicValue<T>& y) {
    return autograd::tanh(
        add(affine(s, w[pre_W_s], w[pre_b]), add(product(c, w[pre_W_c]), product(y, w[pre_W_e]))));
}

// FNV-1a: std::hash may differ between standard libraries.
std::uint64_t hash(const std::string& text) {
    std::uint64_t h = 0xCBF29CE484222325U;
    for (const char c : text) {
        h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    }
    return h;
}

} // namespace

template <class T>
Scorer<T> additive() {
    return {"additive", true, [](const auto& states, const auto& keys, const auto& v) {
                return additive_scores(states, keys, v);
            }};
}

template <class T>
Scorer<T> scaled_dot_product() {
    return {"scaled_dot_product", false, [](const auto& states, const auto& keys, const auto&) {
                return dot_scores(states, keys, T(1) / std::sqrt(static_cast<T>(states.shape(1))));
            }};
}

template <class T>
Scorer<T> dot_product() {
    return {"dot_product", false, [](const auto& states, const auto& keys, const auto&) {
                return dot_scores(states, keys, T(1));
            }};
}

template <class T>
Model<T>::Model(const ModelSizes& sizes, Scorer<T> scorer, std::uint64_t seed)
    : sizes_(sizes), scorer_(std::move(scorer)) {
    const std::size_t E = sizes.embedding, H = sizes.hidden, A = sizes.attention;
    // Uniform in ±limit.
    const auto add = [&](const char* name, const autograd::Shape& shape, double limit) {
        Parameter<T> parameter{name, Array<T>::from_shape(shape), false};
        std::mt19937_64 engine(mix(seed, hash(name)));
        for (T& x : parameter.value) {
            const double unit = static_cast<double>(engine() >> 11) * 0x1p-53; // [0, 1)
            x = static_cast<T>((2 * unit - 1) * limit);
        }
        parameters_.push_back(std::move(parameter));
    };
    const auto matrix = [&](const char* name, std::size_t rows, std::size_t columns,
                            std::size_t n_gates = 1) { // Glorot and Bengio 2010, a gate a matrix
        add(name, {rows, n_gates * columns}, std::sqrt(6.0 / static_cast<double>(rows + columns)));
    };
    const auto bias = [&](const char* name, std::size_t n) { add(name, {n}, 0); };
    const auto table = [&](const char* name, std::size_t rows) {
        add(name, {rows, E}, 1); // with numbers of order 0.1 the first epochs learn little
        parameters_.back().by_rows = true;
    };

    table("source_embedding", sizes.source_words);
    matrix("forward_W_x", E, H, 3);
    bias("forward_b_x", 3 * H);
    matrix("forward_W_h", H, H, 3);
    bias("forward_b_h", 3 * H);
    matrix("backward_W_x", E, H, 3);
    bias("backward_b_x", 3 * H);
    matrix("backward_W_h", H, H, 3);
    bias("backward_b_h", 3 * H);
    matrix("W_keys", 2 * H, A);
    matrix("W_states", H, A);
    matrix("W_init", 2 * H, H);
    bias("b_init", H);
    table("target_embedding", sizes.target_words);
    matrix("decoder_W_x", E, H, 3);
    bias("decoder_b_x", 3 * H);
    matrix("decoder_W_c", 2 * H, H, 3);
    matrix("decoder_W_h", H, H, 3);
    bias("decoder_b_h", 3 * H);
    matrix("pre_W_s", H, E);
    matrix("pre_W_c", 2 * H, E);
    matrix("pre_W_e", E, E);
    bias("pre_b", E);
    matrix("output_W", E, sizes.target_words);
    bias("output_b", sizes.target_words);
    if (scorer_.uses_v) {
        add("score_v", {A}, std::sqrt(3.0 / static_cast<double>(A))); // variance 1/A
    }
}

template <class T>
ForwardResult<T> Model<T>::forward(BasicTape<T>& tape, const Batch& batch,
                                   const Forward<T>& settings) const {
    const Bound<T> w = bind(tape, *this, settings.gradients);
    const Encoded<T> encoded = encode(tape, w, batch, settings);
    const BasicValue<T> y = dropout(embedding(w[target_embedding], batch.target_in),
                                    settings.dropout, mix(settings.seed, 2)); // (T_t · B, E)
    const BasicValue<T> inputs = affine(y, w[decoder_W_x], w[decoder_b_x]);   // (T_t · B, 3H)
    const Decoder<T> decoder{scorer_, w, encoded, batch.source_lengths, settings.scorer_seconds};
    ForwardResult<T> result;
    std::vector<BasicValue<T>> s, c;
    BasicValue<T> state = encoded.s_0;
    for (std::size_t t = 0; t < batch.target_steps; ++t) {
        const Step<T> step = decoder.step({inputs, t, {}}, state, batch.target_active[t]);
        result.weights.push_back(step.weights);
        c.push_back(step.c);
        s.push_back(step.s);
        state = step.s;
    }
    // All steps' words at once, padding left out: (n_target_words, E) and (n_target_words, V)
    const BasicValue<T> pre =
        embedding(pre_output(w, concatenate(s, 0), concatenate(c, 0), y), batch.target_rows);
    const BasicValue<T> logits =
        affine(dropout(pre, settings.dropout, mix(settings.seed, 3)), w[output_W], w[output_b]);
    result.loss = cross_entropy(logits, batch.target_words, settings.smoothing);
    return result;
}

template <class T>
std::vector<Translation> Model<T>::translate(const Batch& batch, std::size_t maximum_words,
                                             const std::vector<WeightAt>& zeroed) const {
    BasicTape<T> encoder_tape;
    const Bound<T> bound = bind<T>(encoder_tape, *this, nullptr);
    const Encoded<T> source = encode(encoder_tape, bound, batch, Forward<T>());
    Array<T> s = source.s_0.data();
    Ids last(batch.size, Vocabulary::begin);
    std::vector<char> active(batch.size, 1);
    std::vector<Translation> translations(batch.size);
    std::vector<std::vector<double>> rows(batch.size); // of the weights
    for (std::size_t t = 0; t <= maximum_words; ++t) {
        BasicTape<T> tape; // nothing is needed of earlier steps but s
        const Bound<T> w = bind<T>(tape, *this, nullptr);
        const Encoded<T> encoded{tape.reference(source.states.data()),
                                 tape.reference(source.keys.data()), BasicValue<T>()};
        const BasicValue<T> y = embedding(w[target_embedding], last);
        const Decoder<T> decoder{scorer_, w, encoded, batch.source_lengths, nullptr, &zeroed, t};
        const Step<T> step = decoder.step({affine(y, w[decoder_W_x], w[decoder_b_x]), 0, {}},
                                          tape.constant(s), active);
        const BasicValue<T> logits =
            affine(pre_output(w, step.s, step.c, y), w[output_W], w[output_b]);
        for (std::size_t b = 0; b < batch.size; ++b) {
            if (active[b] == 0) {
                continue;
            }
            const T* words = logits.data().data() + b * sizes_.target_words;
            last[b] = static_cast<std::size_t>(
                std::max_element(words, words + sizes_.target_words) - words);
            const T* row = step.weights.data().data() + b * batch.source_steps;
            rows[b].insert(rows[b].end(), row, row + batch.source_lengths[b]);
            if (last[b] == Vocabulary::end) {
                active[b] = 0;
            } else {
                translations[b].words.push_back(last[b]);
                active[b] = translations[b].words.size() < maximum_words ? 1 : 0;
            }
        }
        s = step.s.data();
        if (std::find(active.begin(), active.end(), char{1}) == active.end()) {
            break;
        }
    }
    for (std::size_t b = 0; b < batch.size; ++b) {
        const std::size_t n_source = batch.source_lengths[b];
        translations[b].weights =
            attention::Matrix::from_shape({rows[b].size() / n_source, n_source});
        std::copy(rows[b].begin(), rows[b].end(), translations[b].weights.begin());
    }
    return translations;
}

template Scorer<float> additive();
template Scorer<double> additive();
template Scorer<float> scaled_dot_product();
template Scorer<double> scaled_dot_product();
template Scorer<float> dot_product();
template Scorer<double> dot_product();
template class Model<float>;
template class Model<double>;

} // namespace seq2seq
