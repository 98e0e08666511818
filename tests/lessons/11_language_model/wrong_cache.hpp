#pragma once

// What the misconceptions of 11.2 are made of: a cache that is right in everything but what it
// keeps, or how it answers. Both are handed in as lambdas that capture nothing.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "exports.hpp"

namespace wrong {

using in_turn::Indices;
using lesson::Matrix;
using lesson::Vector;
using Rows = std::vector<Vector>;

inline double dot(const Vector& a, const Vector& b) {
    return xt::sum(a * b)();
}

/// q · k_j / √d_k for each key.
inline Vector scores(const Vector& q, const Rows& keys) {
    Vector result = Vector::from_shape({keys.size()});
    for (std::size_t j = 0; j < keys.size(); ++j) {
        result(j) = dot(q, keys[j]) / std::sqrt(static_cast<double>(q.size()));
    }
    return result;
}

inline Vector softmax_of(const Vector& numbers) {
    const double largest = *std::max_element(numbers.begin(), numbers.end());
    const Vector raised = xt::exp(numbers - largest);
    return Vector(raised / xt::sum(raised)());
}

inline Vector mixed(const Vector& weights, const Rows& rows) {
    Vector output = xt::zeros<double>({rows.front().size()});
    for (std::size_t j = 0; j < rows.size() && j < weights.size(); ++j) {
        output += weights(j) * rows[j];
    }
    return output;
}

struct RightKeep {
    void operator()(Rows& keys, Rows& values, const Vector& k, const Vector& v) const {
        keys.push_back(k);
        values.push_back(v);
    }
};

struct RightAnswer {
    Vector operator()(const Rows& keys, const Rows& values, const Vector& q) const {
        return mixed(softmax_of(scores(q, keys)), values);
    }
};

template <class Keep, class Answer>
class Cache {
public:
    void append(const Vector& k, const Vector& v) {
        if (!keys_.empty() && !values_.empty()) {
            lesson::require_size("append", "k", k.size(), keys_.front().size());
            lesson::require_size("append", "v", v.size(), values_.front().size());
        }
        Keep{}(keys_, values_, k, v);
    }
    Vector attend(const Vector& q) const {
        if (keys_.empty()) {
            throw std::invalid_argument("KeyValueCache::attend: nothing has been appended yet");
        }
        lesson::require_size("attend", "q", q.size(), keys_.front().size());
        return Answer{}(keys_, values_, q);
    }

private:
    Rows keys_, values_;
};

template <class Keep, class Answer>
auto in_turns(Keep, Answer) {
    return [](const Matrix& K, const Matrix& V, const Matrix& Q, const Indices& cache) {
        return in_turn::append_by<Cache<Keep, Answer>>(K, V, Q, cache);
    };
}
template <class Keep, class Answer>
auto afterwards(Keep, Answer) {
    return [](const Matrix& K, const Matrix& V, const Matrix& Q) {
        return in_turn::attend_by<Cache<Keep, Answer>>(K, V, Q);
    };
}

} // namespace wrong

/// A wrong answer shows in both: token by token, and after everything.
#define CACHE_MISCONCEPTION(name, explanation, ...)                                                \
    MISCONCEPTION_IN(in_turn, append, name, explanation, in_turns(RightKeep{}, __VA_ARGS__));      \
    MISCONCEPTION_IN(in_turn, attend, name##_when_asked, explanation,                              \
                     afterwards(RightKeep{}, __VA_ARGS__))

/// So does what is kept wrongly.
#define KEEP_MISCONCEPTION(name, explanation, ...)                                                 \
    MISCONCEPTION_IN(in_turn, append, name, explanation, in_turns(__VA_ARGS__, RightAnswer{}));    \
    MISCONCEPTION_IN(in_turn, attend, name##_when_asked, explanation,                              \
                     afterwards(__VA_ARGS__, RightAnswer{}))
