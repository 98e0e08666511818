#include "training/workers.hpp"

#include <cblas.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace training {

void prepare_process() {
    openblas_set_num_threads(1);
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, 1 << 26);
#endif
}

} // namespace training
