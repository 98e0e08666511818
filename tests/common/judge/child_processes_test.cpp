// Whatever a submission starts or writes ends with it.

#include <csignal>
#include <sstream>

#include <sys/wait.h>

#include "hostile_child.hpp"

using namespace judge;
using namespace hostile;

namespace {

/// The process ids that the last call printed.
std::vector<pid_t> printed(const Child& child) {
    std::vector<pid_t> ids;
    std::istringstream stream(child.output());
    for (pid_t id = 0; stream >> id;) {
        ids.push_back(id);
    }
    return ids;
}

/// A process remains, after a call that returns and after one that ends the submission.
void leaves_nobody(const std::string& how) {
    CAPTURE(how);
    const Traces traces;
    std::vector<pid_t> started;
    {
        Child child(HOSTILE, unconfined());
        const List staying{{how}, {false}};
        as<Returned>(child.call("leaves_a_process", staying));
        started = printed(child);
        answers(child);
    }
    CHECK_FALSE(started.empty());
    for (const pid_t process : started) {
        CHECK_FALSE(lives(process));
    }
    Child child(HOSTILE, unconfined());
    const List leaving{{how}, {true}};
    CHECK(as<EndedEarly>(child.call("leaves_a_process", leaving)).status == 0);
    started = printed(child);
    CHECK_FALSE(started.empty());
    for (const pid_t process : started) {
        CHECK_FALSE(lives(process));
    }
    CHECK(children().empty());
    answers(child);
}

} // namespace

TEST_CASE("child: a grandchild in a session of its own, which keeps the pipes open, ends with it") {
    leaves_nobody("setsid");
}

TEST_CASE("child: a grandchild's child ends with it, whoever its parent has become") {
    leaves_nobody("daemon");
}

TEST_CASE("child: thousands of threads are ended, as they could leave none for others") {
    const Traces traces;
    if (sanitized()) { // each has a stack of its own there
        return;
    }
    Child child(HOSTILE, patient());
    const Outcome outcome = child.call("leaves_a_process", list(text("5000 threads"), false));
    CHECK(as<Garbled>(outcome).why == "it has more than 4096 threads");
    answers(child);
}

TEST_CASE("child: every start finds an empty folder, and none is left") {
    const Traces traces;
    Child child(HOSTILE, patient());
    for (int start = 0; start < 2; ++start) {
        CHECK(from_value<int>(as<Returned>(child.call("leaves_its_folder_full", {})).value) == 0);
        as<EndedEarly>(child.call("exits", list(text("exit"))));
    }
}

TEST_CASE("child: a grader that is killed takes the submission with it") {
    const Traces traces;
    int ids[2];
    REQUIRE(pipe(ids) == 0);
    const pid_t grader = fork();
    if (grader == 0) {
        Child child(HOSTILE, patient());
        const Outcome outcome = child.call("process_id", {});
        if (const Returned* returned = std::get_if<Returned>(&outcome)) {
            const pid_t process = from_value<int>(returned->value);
            if (write(ids[1], &process, sizeof process) == sizeof process) {
                child.call("loops", list(true));
            }
        }
        _exit(1);
    }
    close(ids[1]);
    pid_t process = 0;
    REQUIRE(read(ids[0], &process, sizeof process) == sizeof process);
    CHECK(lives(process));
    usleep(50000); // into the endless loop, which also ignores that its pipes have closed
    kill(grader, SIGKILL);
    waitpid(grader, nullptr, 0);
    // This process adopts orphans, so the submission is now its child.
    int status = 0;
    CHECK(waitpid(process, &status, 0) == process);
    CHECK(WIFSIGNALED(status));
    CHECK(WTERMSIG(status) == SIGKILL);
    close(ids[0]);
    for (const auto& folder : std::filesystem::directory_iterator(traces.folder())) {
        std::filesystem::remove_all(folder); // which a killed grader cannot do
    }
}
