#include "published_model.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace lesson {

Checkpoint read_checkpoint(const std::string& bytes) {
    // solution 12.4 (bytes): seven sizes, which must agree with the number of bytes, then the arrays
    std::array<std::int32_t, 7> head{};
    if (bytes.size() < sizeof head) {
        throw std::invalid_argument("read_checkpoint: a file must have 28 bytes of sizes, got " +
                                    std::to_string(bytes.size()));
    }
    std::memcpy(head.data(), bytes.data(), sizeof head);
    const bool has_output = head[5] < 0;
    std::array<double, 7> s{}; // the sizes: no product of a few of them overflows a double
    for (std::size_t i = 0; i < 7; ++i) {
        s[i] = i == 5 && has_output ? -double(head[i]) : double(head[i]);
        if (s[i] < 1) {
            throw std::invalid_argument("read_checkpoint: a size must be above 0, got " +
                                        std::to_string(head[i]));
        }
    }
    const auto size = [&](std::size_t i) { return static_cast<std::size_t>(s[i]); };
    const Sizes sizes{size(0), size(1), size(2), size(3), size(4), size(5), size(6)};
    if (sizes.dim % (2 * sizes.n_heads) != 0 || sizes.n_heads % sizes.n_kv_heads != 0) {
        throw std::invalid_argument("read_checkpoint: the heads do not divide dim and each other");
    }
    const std::size_t d = sizes.dim / sizes.n_heads;
    const double kv = s[4] * double(d);
    const double per_layer = 2 * s[0] + 2 * s[0] * s[0] + 2 * kv * s[0] + 3 * s[1] * s[0];
    const double tables = has_output ? 2 : 1;
    const double numbers = tables * s[5] * s[0] + s[2] * per_layer + s[0] + s[6] * double(d);
    if (double(bytes.size()) != 28 + 4 * numbers) {
        throw std::invalid_argument("read_checkpoint: the sizes ask for another number of bytes "
                                    "than " +
                                    std::to_string(bytes.size()));
    }

    Checkpoint model = llama::zeros(sizes);
    std::size_t next = sizeof head;
    const auto read = [&](auto& array) {
        for (double& x : array) {
            float number = 0;
            std::memcpy(&number, bytes.data() + next, sizeof number);
            next += sizeof number;
            x = double(number);
        }
    };
    const auto read_all = [&](auto member) { // of every layer
        for (Layer& layer : model.layers) {
            read(layer.*member);
        }
    };
    read(model.tokens);
    read_all(&Layer::attention_gain);
    read_all(&Layer::W_q);
    read_all(&Layer::W_k);
    read_all(&Layer::W_v);
    read_all(&Layer::W_o);
    read_all(&Layer::mlp_gain);
    read_all(&Layer::W_gate);
    read_all(&Layer::W_down);
    read_all(&Layer::W_up);
    read(model.last_gain);
    next += 4 * sizes.context * d;
    model.output = model.tokens;
    if (has_output) {
        read(model.output);
    }
    return model;
    // end
}

} // namespace lesson
