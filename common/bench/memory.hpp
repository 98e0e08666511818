#pragma once

#include <cstddef>
#include <functional>

namespace bench {

/// The most bytes from operator new that were in use at once during the work, beyond those in use
/// before it.
std::size_t most_in_use(const std::function<void()>& work);

} // namespace bench
