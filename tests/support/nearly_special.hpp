#pragma once

#include <array>

#include "judge/session.hpp"
#include "support/nearly.hpp"

namespace drawn {

/// Of size 3 x 3: what a product with it would be easy of, and all that is so but for one element.
inline std::vector<attention::Matrix> nearly_special() {
    using attention::Matrix;
    std::vector<Matrix> result = nearly_zero(3, 3);
    result.push_back(sums_of_an_identity(3));
    for (const Matrix& special : {Matrix(xt::eye<double>(3)),
                                  Matrix(-xt::eye<double>(3)),
                                  Matrix(xt::ones<double>({3, 3})),
                                  {{2, 0, 0}, {0, -1, 0}, {0, 0, 3}},
                                  {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                                  {{2, -1, 3}, {0, 1, 4}, {0, 0, -2}},
                                  {{2, 0, 0}, {-1, 1, 0}, {3, 4, -2}},
                                  {{2, -1, 3}, {-1, 1, 4}, {3, 4, -2}},
                                  {{2, -1, 3}, {2, -1, 3}, {2, -1, 3}},
                                  {{2, 2, 2}, {-1, -1, -1}, {3, 3, 3}}}) {
        const std::vector<Matrix> near = nearly(special);
        result.insert(result.end(), near.begin(), near.end());
    }
    return result;
}

/// One that is none of these, to stand beside them.
inline attention::Matrix nothing_special() {
    return {{0.5, -1.25, 2}, {1.5, 3, -0.75}, {-2.5, 0.25, 1}};
}

/// For a test case that is asked after others, if they found nothing wrong.
inline void suspect_an_incomplete_look() {
    if (judge::session().failures().empty()) {
        judge::session().suspect(
            {"looks_like_an_incomplete_look",
             "with numbers drawn at random it is right, and wrong where an argument is nearly "
             "something special, such as zero, an identity or equal to another argument, but for "
             "one element. Is that looked for in some of the elements only? Leave the special case "
             "out: the formula is right for it, too."});
    }
}

/// A pair of arguments that are one array or each other's transposes, and those that are so but for
/// one element of either.
inline std::vector<std::array<attention::Matrix, 2>> nearly_the_same() {
    const attention::Matrix A = nothing_special();
    const attention::Matrix transposed = xt::transpose(A);
    std::vector<std::array<attention::Matrix, 2>> pairs;
    for (const attention::Matrix& near : nearly(A)) {
        pairs.push_back({A, near});
        pairs.push_back({near, A});
        pairs.push_back({transposed, near});
        pairs.push_back({near, transposed});
    }
    return pairs;
}

} // namespace drawn
