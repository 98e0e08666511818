// The program behind ./course book: serves the pages, and grades every save.

#include <csignal>
#include <cstdlib>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "book/export.hpp"
#include "book/server.hpp"
#include "course/grading/build.hpp"
#include "process/start.hpp"

namespace {

struct Options {
    std::string lesson;
    int port = 0;
    bool no_open = false;
    std::string folder; // to export to
};

Options read_options(int argc, char** argv) {
    CLI::App app;
    app.set_help_flag(); // the launcher says it, without a build
    Options options;
    app.add_option("LESSON", options.lesson);
    app.add_option("--port", options.port)->check(CLI::Range(1, 65535));
    app.add_flag("--no-open", options.no_open);
    app.add_option("--export", options.folder);
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

int serve(const course::Project& project, const Options& options) {
    const std::string path =
        options.lesson.empty()
            ? ""
            : "lessons/" + course::find_lesson(project, options.lesson).folder + "/";
    signal(SIGPIPE, SIG_IGN);
    const Interrupts interrupts;
    const book::Site site(project, true);
    book::Board board(project);
    book::Grading grading(project, board);
    book::Calls calls(project, board, [&](const std::string& lesson) { grading.open(lesson); });
    book::Translations translations(project.build / "book_translator",
                                    project.root / "out/comparison",
                                    [&] { grading.want_translator(); });
    auto server = std::make_unique<book::Server>(
        book::Server::Parts{site, board, calls, grading, translations}, options.port);
    const std::string url = server->address().url(path);
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
    translations.stop();
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
                                      : book::export_pages(project, options.folder);
    } catch (const course::MachineFault& fault) {
        std::cerr << "course: " << fault.what() << "\n";
        return 3;
    } catch (const std::exception& error) {
        std::cerr << "course: " << error.what() << "\n";
        return 2;
    }
}
