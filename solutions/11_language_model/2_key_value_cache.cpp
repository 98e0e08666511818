#include "language_model.hpp"

#include <cmath>

#include "attention/softmax.hpp" // attention::softmax, from lesson 03

namespace lesson {

void KeyValueCache::append(const Vector& k, const Vector& v) {
    if (!keys_.empty() && !values_.empty()) {
        require_size("append", "k", k.size(), keys_.front().size());
        require_size("append", "v", v.size(), values_.front().size());
    }

    // solution 11.2 (k, v): keep both
    keys_.push_back(k);
    values_.push_back(v);
    // end
}

Vector KeyValueCache::attend(const Vector& q) const {
    if (keys_.empty()) {
        throw std::invalid_argument("KeyValueCache::attend: nothing has been appended yet");
    }
    require_size("attend", "q", q.size(), keys_.front().size());

    // solution 11.2 (q): a score for each key that is kept, softmax, and the values mixed by it
    const double root = std::sqrt(static_cast<double>(q.size()));
    Vector scores = Vector::from_shape({keys_.size()});
    for (std::size_t j = 0; j < keys_.size(); ++j) {
        scores(j) = xt::sum(q * keys_[j])() / root;
    }
    const Vector weights = attention::softmax(scores);

    Vector output = xt::zeros<double>({values_.front().size()});
    for (std::size_t j = 0; j < values_.size(); ++j) {
        output += weights(j) * values_[j];
    }
    return output;
    // end
}

} // namespace lesson
