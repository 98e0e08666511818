// The program for lesson 07's figure: reads a question per line, as JSON, and writes its answer,
// also a line. Built on first use, if there are models.

#include <iostream>

#include <nlohmann/json.hpp>

#include "book/translator.hpp"
#include "comparison/experiment.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "book_translator: started by ./course book, with the folder of checkpoints\n";
        return 2;
    }
    training::prepare_process();
    comparison::Options options;
    options.output = argv[1];
    book::Translator translator(options);
    for (std::string line; std::getline(std::cin, line);) {
        nlohmann::json answer;
        try {
            answer = translator.answer(nlohmann::json::parse(line));
        } catch (const std::exception& error) {
            answer = {{"ok", false}, {"state", "fault"}, {"words", error.what()}};
        }
        std::cout << answer.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                  << std::endl;
    }
    return 0;
}
