// A program with more static memory than a submission may use: it cannot even start.

#include <cstddef>

static double table[160'000'000];

int main(int count, char**) {
    volatile double* const place = table;
    place[static_cast<std::size_t>(count)] = 1;
    return 0;
}
