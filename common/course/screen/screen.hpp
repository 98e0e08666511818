#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace course {

struct Size {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

/// Keys that are no character of their own.
enum Key : int {
    key_up = 256,
    key_down,
    key_left,
    key_right,
    key_page_up,
    key_page_down,
    key_home,
    key_end,
    key_of_no_use, // one that a terminal sends as several characters, as Insert
    key_end_of_input,
    key_enter = '\n',
    key_end_of_text = 4, // Ctrl-D
    key_escape = 27
};

/// The terminal as one full screen whose keys are read one by one. However the program ends, but by
/// SIGKILL, the terminal is what it was before. There is one at a time.
class Screen {
public:
    /// Throws std::runtime_error if standard input or output is no terminal.
    Screen();
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    Size size() const;
    /// Shows the lines from the top, as many as there are rows; the caller has cut them to the
    /// width.
    void draw(const std::vector<std::string>& lines);
    /// Keys that have been pressed, without waiting.
    std::vector<int> keys();

    /// Gives the terminal back for another program, and takes it again.
    void suspend();
    void resume();

    /// A descriptor to poll: readable when a signal has come; and that signal, or 0 if none has.
    /// SIGINT, SIGTERM, SIGHUP, SIGTSTP and SIGWINCH come this way and do nothing else.
    int signals() const;
    int next_signal();
    /// Stops the program as Ctrl-Z would have, until it is continued.
    void stop_until_continued();
};

/// The first `width` columns of a line that may have colours in it.
std::string clipped(const std::string& line, std::size_t width);

} // namespace course
