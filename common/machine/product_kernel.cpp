#include "machine/product_kernel.hpp"

#include "machine/register_tile.hpp"

namespace attention {
namespace {

using Register = Lanes<float>;
constexpr std::size_t width = panel<float>;

// So much of k is summed at a time: a tile's rows of A then stay in the first-level cache, and as
// many columns of B, packed, in the second while all rows pass.
constexpr std::size_t k_block = 256;
constexpr std::size_t column_block = 256;

// B (k, n) to panels (n / width, k, width).
void pack_right(const MatrixView& B, std::size_t k, std::size_t n, float* packed) {
    if (B.column_step == 1) {
        pack_panels(B.data, B.row_step, k, n, packed);
    } else {
        pack_transposed_panels(B.data, B.column_step, n, k, packed);
    }
}

// C ← start + the tile: `columns` of its columns.
template <std::size_t rows>
void put(const RegisterTile<float, rows>& tile, std::size_t columns, const Start& start, float* C,
         std::size_t stride) {
    if (columns == width) {
        for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t half = 0; half < 2; ++half) {
                const std::size_t at = half * lanes<float>;
                Register sum = tile.sum[r][half];
                if (start.data != nullptr) {
                    sum += Register::load_unaligned(start.data + r * start.row_step + at);
                }
                sum.store_unaligned(C + r * stride + at);
            }
        }
        return;
    }
    alignas(kernel_alignment) float numbers[rows * width];
    tile.store(numbers, width);
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c < columns; ++c) {
            const float before = start.data == nullptr ? 0.0F : start.data[r * start.row_step + c];
            C[r * stride + c] = before + numbers[r * width + c];
        }
    }
}

} // namespace

std::size_t product_scratch_size() {
    return (tile_rows + column_block) * k_block;
}

void multiply(const MatrixView& A, const MatrixView& B, const ProductSizes& sizes,
              const Start& start, float* scratch, float* C) {
    const std::size_t m = sizes.m, n = sizes.n, k = sizes.k;
    float* const left = scratch; // a tile's rows of A, where they have to be packed
    float* const right = scratch + tile_rows * k_block;
    const auto part = [](const MatrixView& X, std::size_t row, std::size_t column) {
        return MatrixView{X.data + row * X.row_step + column * X.column_step, X.row_step,
                          X.column_step};
    };
    for (std::size_t column = 0; column < n; column += column_block) {
        const std::size_t columns = std::min(column_block, n - column);
        for (std::size_t depth = 0; depth < k; depth += k_block) {
            const std::size_t depths = std::min(k_block, k - depth);
            const Start before = depth == 0 ? start : Start{C, n};
            pack_right(part(B, depth, column), depths, columns, right);
            // C is written along its rows: down its columns each tile would wait for memory.
            in_row_blocks(m, [&]<std::size_t rows>(std::size_t row) {
                const MatrixView here = part(A, row, depth);
                const bool is_packed = here.column_step != 1;
                for (std::size_t i = 0; i < depths && is_packed; ++i) {
                    for (std::size_t r = 0; r < rows; ++r) {
                        left[i * rows + r] = here.data[r + i * here.column_step];
                    }
                }
                for (std::size_t c = 0; c < columns; c += width) {
                    RegisterTile<float, rows> tile;
                    const float* const panel_of_B = right + c * depths;
                    if (is_packed) {
                        tile.template add_product<1, rows>(left, panel_of_B, width, depths);
                    } else {
                        tile.add_product(here.data, here.row_step, 1, panel_of_B, width, depths);
                    }
                    Start from = before;
                    if (from.data != nullptr) {
                        from.data += row * from.row_step + column + c;
                    }
                    put(tile, std::min(width, columns - c), from, C + row * n + column + c, n);
                }
            });
        }
    }
}

} // namespace attention
