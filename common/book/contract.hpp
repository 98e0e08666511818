#pragma once

#include <string>
#include <vector>

namespace book {

/// What a lesson's header promises of an exercise: the comments that begin "/// 03.2" or stand
/// above one of its functions, each with its declaration. "" if there is none.
std::string contract_of(const std::string& header, const std::string& exercise,
                        const std::vector<std::string>& functions);

} // namespace book
