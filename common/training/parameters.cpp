#include "training/parameters.hpp"

#include "attention/random.hpp"

#include <algorithm>

namespace training {

std::vector<float> values_of(const Parameters<float>& parameters) {
    std::vector<float> values;
    for (const Parameter<float>& parameter : parameters) {
        values.insert(values.end(), parameter.value.begin(), parameter.value.end());
    }
    return values;
}

void set_values(Parameters<float>& parameters, const std::vector<float>& values) {
    auto from = values.begin();
    for (Parameter<float>& parameter : parameters) {
        const auto n = static_cast<std::ptrdiff_t>(parameter.value.size());
        std::copy(from, from + n, parameter.value.begin());
        from += n;
    }
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    std::uint64_t x = 0;
    for (const std::uint64_t part : {a, b, c}) {
        x = attention::scrambled(x + part + attention::golden_ratio);
    }
    return x;
}

std::uint64_t mix(std::uint64_t a, std::initializer_list<double> numbers) {
    for (const double number : numbers) {
        a = mix(a, static_cast<std::uint64_t>(number * 1e9));
    }
    return a;
}

} // namespace training
