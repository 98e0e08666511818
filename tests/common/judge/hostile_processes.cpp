#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include <pthread.h>
#include <unistd.h>

#include "hostile.hpp"

namespace lesson {

namespace {

[[noreturn]] void linger() {
    for (;;) {
        sleep(1000);
    }
}

/// Forks and has the new process run body, which must not return.
void start(const std::function<void()>& body) {
    const pid_t process = fork();
    if (process == 0) {
        body();
        std::_Exit(0);
    }
    std::printf("%d\n", process);
}

/// Forks and lets the parent die, over and over: a process whose id is always already old.
[[noreturn]] void hurry_on() {
    for (;;) {
        if (fork() > 0) {
            std::_Exit(0);
        }
    }
}

} // namespace

double leaves_a_process(const std::string& how, bool and_exits) {
    if (how == "setsid") {
        start([] {
            setsid();
            linger();
        });
    } else if (how == "daemon") {
        // The middle one ends at once, so that init, or whoever adopts orphans, is the parent.
        start([] {
            start([] {
                setsid();
                linger();
            });
            std::fflush(nullptr);
        });
        usleep(50000);
    } else if (how == "hurries on") {
        start([] {
            setsid();
            hurry_on();
        });
    } else if (how == "5000 threads") {
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, std::size_t{1} << 15);
        pthread_t started{};
        const auto lingering = [](void*) -> void* { linger(); };
        for (int k = 0; k < 5000 && pthread_create(&started, &small, lingering, nullptr) == 0;) {
            ++k;
        }
        linger();
    }
    std::fflush(nullptr);
    if (and_exits) {
        std::_Exit(0);
    }
    return 0;
}

double becomes_another_program(const std::string& program) {
    execl("/bin/sh", "sh", "-c", program.c_str(), nullptr);
    return 0;
}

int leaves_its_folder(const std::string& how) {
    namespace fs = std::filesystem;
    const fs::path here = fs::current_path();
    std::error_code refused;
    const auto entries = std::distance(fs::directory_iterator(here), fs::directory_iterator());
    if (how == "full") {
        std::ofstream("file") << "left behind";
        fs::create_directories("folder/inside");
        std::ofstream("folder/inside/file") << "left behind";
    } else if (how == "a link to elsewhere") {
        fs::remove_all(here, refused);
        fs::create_directory_symlink(here.parent_path() / "precious", here, refused);
    }
    return static_cast<int>(entries);
}

} // namespace lesson
