// Draws the pictures of one lesson's page:  pictures_NN_name FOLDER          writes them there
//                                           pictures_NN_name FOLDER --check  are they up to date?

#include <iostream>

#include "process/files.hpp"
#include "show/svg.hpp"

namespace {

std::filesystem::path folder; // the program's argument

} // namespace

std::filesystem::path lesson::pictures_folder() {
    return folder;
}

int main(int argc, char** argv) {
    const bool check = argc == 3 && std::string(argv[2]) == "--check";
    if (argc != 2 && !check) {
        std::cerr << "usage: " << argv[0] << " FOLDER [--check]\n";
        return 2;
    }
    folder = argv[1];
    int stale = 0;
    for (const show::Picture& picture : lesson::pictures()) {
        const auto file = folder / (picture.name + ".svg");
        if (!check) {
            process::write_file(file, picture.drawing.str());
        } else if (process::read_file(file) != picture.drawing.str()) {
            std::cerr << file.string() << " is not what pictures.cpp draws: run " << argv[0] << " "
                      << argv[1] << '\n';
            stale = 1;
        }
    }
    return stale;
}
