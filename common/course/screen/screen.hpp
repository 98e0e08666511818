#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace course {

struct Size {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

/// Keys that are not a character.
enum Key : int {
    key_up = 256,
    key_down,
    key_page_up,
    key_page_down,
    key_home,
    key_end,
    key_of_no_use, // another key that a terminal sends as several characters, such as Insert
    key_end_of_input,
    key_enter = '\n',
    key_end_of_text = 4, // Ctrl-D
    key_escape = 27
};

/// The terminal as one full screen whose keys are read one by one. The terminal is restored when
/// the program ends. There is one at a time.
class Screen {
public:
    /// Throws std::runtime_error if standard input or output is not a terminal.
    Screen();
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    Size size() const;
    /// Shows as many lines as there are rows; the caller has cut them to the width.
    void draw(const std::vector<std::string>& lines);
    /// Keys that have been pressed, without waiting.
    std::vector<int> keys();

    /// Gives the terminal back for another program, and takes it again.
    void suspend();
    void resume();
    /// While it is suspended: waits for any key, or a signal.
    void wait_for_key();

    /// A descriptor to poll, readable when a signal has arrived; and that signal, or 0. SIGINT,
    /// SIGTERM, SIGHUP, SIGTSTP and SIGWINCH do nothing else.
    int signals() const;
    int next_signal();
    /// Stops the program as Ctrl-Z would have, until it is continued.
    void stop_until_continued();

private:
    static void take_single_keys();
};

/// The first `width` columns of a line, which may have colours.
std::string clipped(const std::string& line, std::size_t width);

} // namespace course
