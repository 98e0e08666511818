#include "llama/checkpoint.hpp"

#include "llama/bytes.hpp"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace llama {

Checkpoint zeros(const Sizes& sizes) {
    const std::size_t dim = sizes.dim, kv = sizes.n_kv_heads * (dim / sizes.n_heads);
    const auto vector = [&] { return Vector(xt::zeros<double>({dim})); };
    const auto matrix = [](std::size_t rows, std::size_t columns) {
        return Matrix(xt::zeros<double>({rows, columns}));
    };
    Checkpoint model{sizes, matrix(sizes.n_tokens, dim), {}, vector(), {}};
    for (std::size_t layer = 0; layer < sizes.n_layers; ++layer) {
        model.layers.push_back({vector(), matrix(dim, dim), matrix(kv, dim), matrix(kv, dim),
                                matrix(dim, dim), vector(), matrix(sizes.hidden, dim),
                                matrix(dim, sizes.hidden), matrix(sizes.hidden, dim)});
    }
    model.output = model.tokens;
    return model;
}

std::string write_checkpoint(const Checkpoint& model) {
    const Sizes& s = model.sizes;
    std::string bytes;
    for (const std::size_t size :
         {s.dim, s.hidden, s.n_layers, s.n_heads, s.n_kv_heads, s.n_tokens, s.context}) {
        append(bytes, static_cast<std::int32_t>(size));
    }
    each_array(model, [&](const auto& array) {
        for (const double x : array) {
            append(bytes, static_cast<float>(x));
        }
    });
    return bytes.append(4 * s.context * (s.dim / s.n_heads), '\0'); // nobody reads them
}

std::string read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw std::invalid_argument("the file cannot be read");
    }
    return (std::ostringstream() << in.rdbuf()).str();
}

std::string own_checkpoint() {
    return COURSE_LESSON_12 "/stories.bin";
}
std::string own_vocabulary() {
    return COURSE_LESSON_12 "/pieces.bin";
}

} // namespace llama
