# What compiling one of a learner's files may take, and a list that begins such a command so that it
# takes no more. Without the two programs (macOS) there are no limits.
set(COURSE_COMPILE_SECONDS 60 CACHE STRING "Seconds that compiling an exercise may take")
set(COURSE_COMPILE_MEMORY_MIB 2048 CACHE STRING "MiB that compiling an exercise may need")
set(COURSE_COMPILE_FILE_MIB 256 CACHE STRING "MiB of any file that compiling an exercise makes")
find_program(COURSE_TIMEOUT timeout)
find_program(COURSE_PRLIMIT prlimit)
mark_as_advanced(COURSE_TIMEOUT COURSE_PRLIMIT)
set(course_within_limits "")
if(COURSE_TIMEOUT AND COURSE_PRLIMIT)
  math(EXPR memory "${COURSE_COMPILE_MEMORY_MIB} << 20")
  math(EXPR file "${COURSE_COMPILE_FILE_MIB} << 20")
  set(course_within_limits "${COURSE_TIMEOUT}" --verbose --kill-after=2 ${COURSE_COMPILE_SECONDS}
    "${COURSE_PRLIMIT}" --as=${memory} --fsize=${file} --core=0)
endif()
