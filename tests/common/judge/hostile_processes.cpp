#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

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

int leaves_its_folder_full() {
    namespace fs = std::filesystem;
    const auto entries = std::distance(fs::directory_iterator("."), fs::directory_iterator());
    std::ofstream("file") << "left behind";
    fs::create_directories("folder/inside");
    std::ofstream("folder/inside/file") << "left behind";
    return static_cast<int>(entries);
}

} // namespace lesson
