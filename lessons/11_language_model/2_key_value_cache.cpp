#include "language_model.hpp"

#include <cmath>

#include "attention/softmax.hpp" // attention::softmax, from lesson 03

namespace lesson {

void KeyValueCache::append(const Vector& k, const Vector& v) {
    if (!keys_.empty() && !values_.empty()) {
        require_size("append", "k", k.size(), keys_.front().size());
        require_size("append", "v", v.size(), values_.front().size());
    }

    // TODO 11.2: keep both
    todo("11.2", k, v);
}

Vector KeyValueCache::attend(const Vector& q) const {
    if (keys_.empty()) {
        throw std::invalid_argument("KeyValueCache::attend: nothing has been appended yet");
    }
    require_size("attend", "q", q.size(), keys_.front().size());

    // TODO 11.2: a score for each key that is kept, softmax, and the values mixed by it
    todo("11.2", q);
}

} // namespace lesson
