// cut_stub SOLUTION STUB: writes the stub of a solution. The build makes the tested stubs with it,
// authors those in lessons/.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "course/grading/stub.hpp"

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: cut_stub SOLUTION STUB\n";
        return 2;
    }
    std::ifstream in(argv[1]);
    std::ostringstream solution;
    solution << in.rdbuf();
    if (!in) {
        std::cerr << "cut_stub: cannot read " << argv[1] << "\n";
        return 2;
    }
    try {
        const std::string stub = course::cut_stub(solution.str());
        std::filesystem::create_directories(std::filesystem::path(argv[2]).parent_path());
        std::ofstream out(argv[2]);
        out << stub << std::flush;
        if (!out) {
            std::cerr << "cut_stub: cannot write " << argv[2] << "\n";
            return 2;
        }
    } catch (const std::exception& error) {
        std::cerr << argv[1] << ": " << error.what() << "\n";
        return 2;
    }
    return 0;
}
