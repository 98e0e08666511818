#include "process/status.hpp"

#include <cstdlib>
#include <fstream>

#include <unistd.h>

namespace process {

std::optional<double> status_of(pid_t process, const std::string& name) {
    std::ifstream lines("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(name + ":")) {
            return std::strtod(line.c_str() + name.size() + 1, nullptr);
        }
    }
    return std::nullopt;
}

double anonymous_memory(pid_t process) {
    std::ifstream pages("/proc/" + std::to_string(process) + "/statm");
    double all = 0, resident = 0, of_files = 0;
    pages >> all >> resident >> of_files;
    return (resident - of_files) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

} // namespace process
