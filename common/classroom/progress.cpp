#include "classroom/progress.hpp"

#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

namespace classroom {

namespace {

bool is_watched() {
    return isatty(STDERR_FILENO) != 0;
}

} // namespace

void ClassProgress::stage(const std::string& text) {
    if (is_watched()) {
        line_.show(text);
    } else {
        std::cerr << text << "\n" << std::flush;
    }
}

course::BuildProgress ClassProgress::build() {
    return [this](int done, int total) {
        const int tenths = total > 0 ? 10 * done / total : 0;
        if (done < total && (is_watched() || tenths > tenths_)) {
            stage(fmt::format("building the graders, {} of {} …", done, total));
            tenths_ = tenths;
        }
    };
}

void ClassProgress::begin_grading() {
    begun_ = std::chrono::steady_clock::now();
    stage(fmt::format("grading {} {} …", total_, total_ == 1 ? "hand-in" : "hand-ins"));
}

void ClassProgress::done(const std::string& text) {
    const std::lock_guard lock(mutex_);
    line_.show("");
    std::cout << text << std::flush;
    ++done_;
    const double gone =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    const double left = gone / static_cast<double>(done_) * static_cast<double>(total_ - done_);
    line_.show(fmt::format("{} of {} hand-ins, about {} left", done_, total_,
                           left < 90 ? fmt::format("{:.0f} s", left)
                                     : fmt::format("{:.0f} min", left / 60)));
}

void ClassProgress::end() {
    line_.show("");
}

} // namespace classroom
