// Right solutions of 11.2, written otherwise: each has to pass.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "attention/attention.hpp"
#include "attention/softmax.hpp"
#include "plain.hpp"

using in_turn::Indices;
using lesson::Matrix;
using lesson::Vector;
using Rows = std::vector<Vector>;

namespace {

/// What a member function keeps, and how it answers, as a lambda each; the checks are the stub's.
template <class Keep, class Answer>
class Cache {
public:
    void append(const Vector& k, const Vector& v) {
        if (!keys_.empty()) {
            lesson::require_size("append", "k", k.size(), keys_.front().size());
            lesson::require_size("append", "v", v.size(), values_.front().size());
        }
        Keep{}(keys_, values_, k, v);
    }
    Vector attend(const Vector& q) const {
        if (keys_.empty()) {
            throw std::invalid_argument("nothing has been appended yet");
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

constexpr auto at_the_end = [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
    keys.push_back(k);
    values.push_back(v);
};

#define CACHE_ALTERNATIVE(name, keep, ...)                                                         \
    ALTERNATIVE_IN(in_turn, append, name, in_turns(keep, __VA_ARGS__));                            \
    ALTERNATIVE_IN(in_turn, attend, name, afterwards(keep, __VA_ARGS__))

CACHE_ALTERNATIVE(plain_loops, at_the_end,
                  [](const Rows& keys, const Rows& values, const Vector& q) {
                      std::vector<double> p(keys.size(), 0);
                      double largest = 0, sum = 0;
                      for (std::size_t j = 0; j < keys.size(); ++j) {
                          for (std::size_t c = 0; c < q.size(); ++c) {
                              p[j] += q(c) * keys[j](c) / std::sqrt(static_cast<double>(q.size()));
                          }
                          largest = j == 0 ? p[j] : std::max(largest, p[j]);
                      }
                      for (double& each : p) {
                          sum += each = std::exp(each - largest);
                      }
                      Vector output = Vector::from_shape({values[0].size()});
                      for (std::size_t c = 0; c < output.size(); ++c) {
                          output(c) = 0;
                          for (std::size_t j = 0; j < keys.size(); ++j) {
                              output(c) += p[j] * values[j](c);
                          }
                          output(c) /= sum;
                      }
                      return output;
                  });

CACHE_ALTERNATIVE(matrices_for_the_library, at_the_end,
                  [](const Rows& keys, const Rows& values, const Vector& q) -> Vector {
                      Matrix Q = Matrix::from_shape({1, q.size()});
                      Matrix K = Matrix::from_shape({keys.size(), q.size()});
                      Matrix V = Matrix::from_shape({keys.size(), values[0].size()});
                      xt::view(Q, 0) = q;
                      for (std::size_t j = 0; j < keys.size(); ++j) {
                          xt::view(K, j) = keys[j];
                          xt::view(V, j) = values[j];
                      }
                      return xt::view(attention::attention(Q, K, V).output, 0);
                  });

/// Softmax as it comes, corrected whenever a larger score is met: lesson 10's.
CACHE_ALTERNATIVE(online, at_the_end, [](const Rows& keys, const Rows& values, const Vector& q) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    Vector output = xt::zeros<double>({values[0].size()});
    for (std::size_t j = 0; j < keys.size(); ++j) {
        const double score = std::inner_product(q.begin(), q.end(), keys[j].begin(), 0.0) /
                             std::sqrt(static_cast<double>(q.size()));
        const double before = std::max(largest, score);
        const double shrunk = std::exp(largest - before), weight = std::exp(score - before);
        output = Vector(output * shrunk + weight * values[j]);
        sum = sum * shrunk + weight;
        largest = before;
    }
    return Vector(output / sum);
});

/// The newest first: an order that nobody sees.
CACHE_ALTERNATIVE(
    newest_first,
    [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
        keys.insert(keys.begin(), k);
        values.insert(values.begin(), v);
    },
    [](const Rows& keys, const Rows& values, const Vector& q) {
        Vector scores = xt::zeros<double>({keys.size()});
        for (std::size_t j = 0; j < keys.size(); ++j) {
            scores(j) = xt::sum(keys[j] * q)() * std::pow(static_cast<double>(q.size()), -0.5);
        }
        const Vector weights = attention::softmax(scores);
        Vector output = weights(0) * values[0];
        for (std::size_t j = 1; j < values.size(); ++j) {
            output = Vector(output + weights(j) * values[j]);
        }
        return output;
    });

/// Every token twice changes no weight that counts.
CACHE_ALTERNATIVE(
    every_token_twice,
    [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
        for (int twice = 0; twice < 2; ++twice) {
            keys.push_back(k);
            values.push_back(v);
        }
    },
    [](const Rows& keys, const Rows& values, const Vector& q) {
        Vector scores = Vector::from_shape({keys.size()});
        for (std::size_t j = 0; j < keys.size(); ++j) {
            scores(j) = xt::sum(q * keys[j])();
        }
        scores /= std::sqrt(static_cast<double>(q.size()));
        const Vector weights = attention::softmax(scores);
        Vector output = xt::zeros_like(values.front());
        for (std::size_t j = 0; j < values.size(); ++j) {
            output += weights(j) * values[j];
        }
        return output;
    });

/// The keys are divided by √d_k once, when they are kept.
CACHE_ALTERNATIVE(
    keys_divided_when_kept,
    [](Rows& keys, Rows& values, const Vector& k, const Vector& v) {
        keys.push_back(k / std::sqrt(static_cast<double>(k.size())));
        values.push_back(v);
    },
    [](const Rows& keys, const Rows& values, const Vector& q) {
        Vector exponentials = Vector::from_shape({keys.size()});
        for (std::size_t j = 0; j < keys.size(); ++j) {
            exponentials(j) = xt::sum(q * keys[j])();
        }
        exponentials = Vector(xt::exp(exponentials - xt::amax(exponentials)()));
        Vector output = xt::zeros<double>({values.front().size()});
        for (std::size_t j = 0; j < values.size(); ++j) {
            output += exponentials(j) * values[j];
        }
        return Vector(output / xt::sum(exponentials)());
    });

ALTERNATIVE_IN(in_turn, append, the_whole_text_anew,
               [](const Matrix& K, const Matrix& V, const Matrix& Q, const Indices& cache) {
                   return plain::append(K, V, Q, cache);
               });
ALTERNATIVE_IN(in_turn, attend, in_long_double,
               [](const Matrix& K, const Matrix& V, const Matrix& Q) {
                   if (K.shape(0) == 0) {
                       throw std::invalid_argument("empty");
                   }
                   lesson::require_size("attend", "q", Q.shape(1), K.shape(1));
                   return plain::attend(K, V, Q);
               });

} // namespace
