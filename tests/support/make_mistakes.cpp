// Writes one source file with every mistake that people make in an exercise:
//
//   make_mistakes OUTPUT.cpp SOLUTION.cpp FILE.mistakes CONTRACT.hpp EXPORTS.hpp FUNCTION…

#include <fstream>
#include <iostream>
#include <stdexcept>

#include "support/mistakes.hpp"

namespace {

std::string contents(const std::string& path) {
    std::ifstream in(path);
    if (!in) {
        throw std::invalid_argument("cannot read " + path);
    }
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv, argv + argc);
    try {
        if (words.size() < 7) {
            throw std::invalid_argument(
                "make_mistakes wants OUTPUT SOLUTION MISTAKES CONTRACT EXPORTS FUNCTION…");
        }
        const std::filesystem::path file = words[3];
        const auto all =
            mistakes::read(file, contents(words[2]), file.parent_path().parent_path() / "parts");
        const versions::Exercise exercise{
            {words.begin() + 6, words.end()}, contents(words[4]), contents(words[5])};
        std::ofstream(words[1]) << versions::source_of(all, exercise).text;
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 2;
    }
}
