#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <sys/types.h>

/// ./course on a terminal of its own, as a learner has it: keys go in, and what is on the screen
/// comes out.
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
    /// Whether the screen is drawn anew, before a minute is over.
    bool draws();
    /// What was drawn last, as a whole and without colours.
    std::string screen() const;
    /// All that was ever written.
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
    /// Up to where what was written is whole drawings.
    std::size_t complete() const;
    /// Where the last whole drawing starts.
    std::size_t last_drawing() const;
    /// What was written from there, in whole drawings and without escape sequences.
    std::string plain_from(std::size_t start) const;
};
