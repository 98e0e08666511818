#include "seq2seq/evaluate.hpp"

namespace seq2seq {
namespace {

// visit(i, sentences, batch) for the i-th of the batches by length, on whichever thread it falls.
template <class Visit>
void for_each_batch(Workers& workers, const std::vector<Example>& examples, std::size_t batch_size,
                    const Visit& visit) {
    const std::vector<Ids> batches = batches_by_length(examples, batch_size);
    workers.run([&](std::size_t part) {
        for (std::size_t i = part; i < batches.size(); i += workers.size()) {
            visit(i, batches[i], make_batch(examples, batches[i]));
        }
    });
}

} // namespace

double mean_loss(const Model<float>& model, Workers& workers, const std::vector<Example>& examples,
                 std::size_t batch_size) {
    std::vector<double> losses(batches_by_length(examples, batch_size).size());
    for_each_batch(workers, examples, batch_size,
                   [&](std::size_t i, const Ids&, const Batch& batch) {
                       autograd::Tape tape;
                       losses[i] = static_cast<double>(model.forward(tape, batch).loss.data()());
                   });
    double sum = 0;
    std::size_t n = 0;
    for (const double loss : losses) { // in the order of the batches, whoever computed them
        sum += loss;
    }
    for (const Example& example : examples) {
        n += example.target.size();
    }
    return sum / static_cast<double>(n);
}

std::vector<Translation> translate(const Model<float>& model, Workers& workers,
                                   const std::vector<Example>& examples, std::size_t batch_size,
                                   const std::vector<WeightAt>& zeroed) {
    std::vector<Translation> translations(examples.size());
    for_each_batch(workers, examples, batch_size,
                   [&](std::size_t, const Ids& sentences, const Batch& batch) {
                       std::vector<WeightAt> of_batch;
                       for (std::size_t i = 0; i < (zeroed.empty() ? 0 : sentences.size()); ++i) {
                           of_batch.push_back(zeroed.at(sentences[i]));
                       }
                       std::vector<Translation> some =
                           model.translate(batch, 2 * batch.source_steps + 8, of_batch);
                       for (std::size_t b = 0; b < some.size(); ++b) {
                           // A sentence that never ends is cut off where it would be in a batch of
                           // its own.
                           const std::size_t most = 2 * batch.source_lengths[b] + 8;
                           if (some[b].words.size() >= most) {
                               some[b].words.resize(most);
                               const attention::Matrix rows =
                                   xt::view(some[b].weights, xt::range(std::size_t{0}, most));
                               some[b].weights = rows;
                           }
                           translations[sentences[b]] = std::move(some[b]);
                       }
                   });
    return translations;
}

std::vector<attention::Matrix> attention_weights(const Model<float>& model, Workers& workers,
                                                 const std::vector<Example>& examples,
                                                 std::size_t batch_size) {
    std::vector<attention::Matrix> all(examples.size());
    for_each_batch(
        workers, examples, batch_size, [&](std::size_t, const Ids& sentences, const Batch& batch) {
            autograd::Tape tape;
            const ForwardResult<float> result = model.forward(tape, batch);
            for (std::size_t b = 0; b < batch.size; ++b) {
                const Example& example = examples[sentences[b]];
                attention::Matrix& weights = all[sentences[b]];
                weights =
                    attention::Matrix::from_shape({example.target.size(), example.source.size()});
                for (std::size_t t = 0; t < weights.shape(0); ++t) {
                    for (std::size_t j = 0; j < weights.shape(1); ++j) {
                        weights(t, j) = static_cast<double>(result.weights[t].data()(b, j));
                    }
                }
            }
        });
    return all;
}

} // namespace seq2seq
