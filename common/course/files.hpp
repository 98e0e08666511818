#pragma once

#include "process/files.hpp"

namespace course {

using process::MachineFault;
using process::read_file;
using process::write_file;

} // namespace course
