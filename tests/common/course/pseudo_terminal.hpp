#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

/// ./course on a terminal of its own, as a learner has it: the test presses keys and reads the
/// screen.
class PseudoTerminal {
public:
    /// words: what follows ./course; or a whole command that begins with bash, for which $COURSE is
    /// the program.
    explicit PseudoTerminal(const std::vector<std::string>& words = {}, unsigned short columns = 80,
                            unsigned short rows = 24);
    ~PseudoTerminal(); // ends the program if it still runs
    PseudoTerminal(const PseudoTerminal&) = delete;
    PseudoTerminal& operator=(const PseudoTerminal&) = delete;

    void press(const std::string& keys);
    void resize(unsigned short columns, unsigned short rows);
    void signal(int number);

    /// Whether the text appears on the screen within a minute.
    bool shows(const std::string& text);
    /// Whether the screen is drawn again within a minute.
    bool draws();
    /// The last whole drawing, without colours.
    std::string screen() const;
    /// All output so far.
    const std::string& everything() const { return written_; }

    /// The status that it exits with (128 + the signal that ended it), once it does; −1 after a
    /// minute.
    int wait();
    /// Whether the terminal reads line by line and echoes, as a shell expects it.
    bool is_restored() const;

private:
    int terminal_ = -1;
    pid_t process_ = -1;
    std::string written_;

    void read_for(std::chrono::milliseconds time);
    /// The end of the output's last whole drawing.
    std::size_t complete() const;
    /// The start of the last whole drawing.
    std::size_t last_drawing() const;
    /// The output from there, in whole drawings and without escape sequences.
    std::string plain_from(std::size_t start) const;
};
