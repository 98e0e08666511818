// cut_stub SOLUTION STUB: writes the stub of a solution. The build makes the tested stubs with it,
// authors those in lessons/.

#include <iostream>

#include "course/grading/stub.hpp"
#include "process/files.hpp"

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: cut_stub SOLUTION STUB\n";
        return 2;
    }
    const auto solution = process::read_file(argv[1]);
    if (!solution) {
        std::cerr << "cut_stub: cannot read " << argv[1] << "\n";
        return 2;
    }
    try {
        process::write_file(argv[2], course::cut_stub(*solution));
    } catch (const std::exception& error) {
        std::cerr << argv[1] << ": " << error.what() << "\n";
        return 2;
    }
    return 0;
}
