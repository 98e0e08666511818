#include "judge/walkthrough.hpp"
void walkthrough(const std::vector<std::string>&) {}
