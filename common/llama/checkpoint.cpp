#include "llama/checkpoint.hpp"

#include <fstream>
#include <sstream>

namespace llama {

Checkpoint zeros(const Sizes& sizes) {
    const std::size_t dim = sizes.dim, kv = sizes.n_kv_heads * (dim / sizes.n_heads);
    const auto matrix = [](std::size_t rows, std::size_t columns) {
        return Matrix(xt::zeros<double>({rows, columns}));
    };
    const Vector gain = xt::zeros<double>({dim});
    const Matrix tokens = matrix(sizes.n_tokens, dim), to_hidden = matrix(sizes.hidden, dim);
    const Layer layer{
        gain, matrix(dim, dim), matrix(kv, dim),           matrix(kv, dim), matrix(dim, dim),
        gain, to_hidden,        matrix(dim, sizes.hidden), to_hidden};
    return {sizes, tokens, std::vector<Layer>(sizes.n_layers, layer), gain, tokens};
}

std::string own_file(const std::string& name) {
    std::ifstream in(COURSE_LESSON_12 "/" + name, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
}

} // namespace llama
