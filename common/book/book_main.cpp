// The program behind ./course book: serves the pages, and grades every save.

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "book/export.hpp"
#include "book/server.hpp"
#include "course/grading/build.hpp"
#include "course/grading/grade.hpp"
#include "course/screen/place.hpp"
#include "process/start.hpp"

namespace {

struct Options {
    std::string lesson;
    int port = 0;
    bool no_open = false;
    std::string folder; // to export to
    bool still = false;
};

Options read_options(int argc, char** argv) {
    CLI::App app;
    app.set_help_flag(); // the launcher says it, without a build
    Options options;
    app.add_option("LESSON", options.lesson);
    app.add_option("--port", options.port)->check(CLI::Range(1, 65535));
    app.add_flag("--no-open", options.no_open);
    auto* const exported = app.add_option("--export", options.folder);
    app.add_flag("--still", options.still)->needs(exported);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        throw course::BadUse(fmt::format("{} (see ./course book --help)", error.what()));
    }
    return options;
}

volatile std::sig_atomic_t interrupt = 0; // the signal that ends us
int interrupt_pipe = -1;

extern "C" void note_interrupt(int signal) {
    interrupt = signal;
    if (write(interrupt_pipe, "", 1) < 0) {
        return; // it is told already
    }
}

/// Ctrl-C and similar signals make its descriptor readable. It uses a handler, because blocked
/// signals would stay blocked in the programs that we start, which could then not be ended.
class Interrupts {
public:
    Interrupts() {
        interrupt_pipe = pipe_.write_end.number();
        pipe_.write_end.do_not_wait();
        for (const int each : {SIGINT, SIGTERM, SIGHUP}) {
            std::signal(each, note_interrupt);
        }
    }
    int descriptor() const { return pipe_.read_end.number(); }

private:
    process::Pipe pipe_;
};

void open_browser(const std::string& url) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) {
        return;
    }
    try {
        process::start({.command = {"xdg-open", url}, .prepare = [] {
                            setsid();
                            process::keep_standard_descriptors_only();
                        }});
    } catch (const std::system_error&) {
        return; // the address is printed
    }
}

/// At the port and with the token of the last time, if it can be: pages that are still open then go
/// on.
std::unique_ptr<book::Server> start_server(const course::Project& project,
                                           const book::Server::Parts& parts, int port) {
    const std::filesystem::path record = project.state / "book";
    int last = 0;
    std::string token;
    std::istringstream(course::read_file(record).value_or("")) >> last >> token;
    if (token.size() != book::random_token().size()) {
        token = book::random_token();
    }
    std::unique_ptr<book::Server> server;
    try {
        server = std::make_unique<book::Server>(parts, port > 0 ? port : last, token);
    } catch (const course::BadUse&) { // the last one is taken
        if (port > 0) {
            throw;
        }
        server = std::make_unique<book::Server>(parts, 0, token);
    }
    try {
        course::write_file(record, fmt::format("{} {}\n", server->address().port(), token));
        std::filesystem::permissions(record, std::filesystem::perms::owner_read |
                                                 std::filesystem::perms::owner_write);
    } catch (const std::runtime_error&) {
        // Then the next start has another address.
    }
    return server;
}

/// A page, and the exercise on it.
struct Place {
    std::string path;
    std::string exercise;
};

/// Where somebody begins: at what they name, or where the terminal would; at first at the list.
Place place_of(const course::Project& project, const std::string& word) {
    if (word.empty() && !std::filesystem::exists(project.state / "place")) {
        return {};
    }
    const course::Exercise exercise =
        course::all_exercises(project)[course::place_to_begin(project, word)];
    const bool there =
        word.empty() ? !course::is_untouched(exercise) : word.find('.') != std::string::npos;
    return {"lessons/" + course::lesson_of(project, exercise).folder + "/",
            there ? exercise.id : ""};
}

int serve(const course::Project& project, const Options& options) {
    const Place place = place_of(project, options.lesson);
    signal(SIGPIPE, SIG_IGN);
    const Interrupts interrupts;
    const book::Site site(project, true);
    book::Board board(project);
    book::Grading grading(project, board);
    book::Calls calls(project, board, [&](const std::string& what) { return grading.want(what); });
    const auto server = start_server(project, {site, board, calls, grading}, options.port);
    const std::string url = server->address().url(place.path, place.exercise);
    std::cout << url << "\n" << std::flush;
    if (isatty(STDOUT_FILENO) != 0) {
        std::cerr << "Open it in a browser on this machine. Ctrl-C ends it.\n";
    }
    if (!options.no_open) {
        open_browser(url);
    }
    grading.run(interrupts.descriptor());
    // Connections are not waited for, and nothing remains to be written.
    board.close();
    calls.stop();
    std::cout << std::flush;
    std::_Exit(128 + interrupt);
}

} // namespace

int main(int argc, char** argv) {
    try {
        const Options options = read_options(argc, argv);
        course::Project project{COURSE_ROOT, COURSE_BUILD, COURSE_EXERCISES, COURSE_STATE};
        project.lessons = course::read_lessons(project);
        return options.folder.empty() ? serve(project, options)
                                      : book::export_pages(project, options.folder, options.still);
    } catch (const course::MachineFault& fault) {
        std::cerr << "course: " << fault.what() << "\n";
        return 3;
    } catch (const std::exception& error) {
        std::cerr << "course: " << error.what() << "\n";
        return 2;
    }
}
