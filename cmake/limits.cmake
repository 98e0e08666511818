# Limits for compiling a learner's file: a list that begins such a command. Without the two programs (macOS)
# there are no limits.
set(COURSE_COMPILE_SECONDS 60 CACHE STRING "Seconds of processor time that compiling an exercise may take")
set(COURSE_COMPILE_MEMORY_MIB 2048 CACHE STRING "MiB that compiling an exercise may need")
set(COURSE_COMPILE_FILE_MIB 256 CACHE STRING "MiB of any file that compiling an exercise makes")
find_program(COURSE_TIMEOUT timeout)
find_program(COURSE_PRLIMIT prlimit)
find_program(COURSE_SETPRIV setpriv)
find_program(COURSE_ENV env)
find_program(COURSE_BASH bash)
mark_as_advanced(COURSE_TIMEOUT COURSE_PRLIMIT COURSE_SETPRIV COURSE_ENV COURSE_BASH)

# When ./course is killed, ninja ends each command's shell. Through setpriv, timeout gets a signal too, and
# ends what it has started, unless the closed pipe has already ended it. Older versions of the two programs
# cannot do this.
set(course_ends_with "${COURSE_SETPRIV}" --pdeathsig TERM "${COURSE_ENV}" --ignore-signal=PIPE)
set(course_pipes_as_usual "${COURSE_ENV}" --default-signal=PIPE)
execute_process(COMMAND ${course_ends_with} ${course_pipes_as_usual} true
  RESULT_VARIABLE wrong OUTPUT_QUIET ERROR_QUIET)
if(NOT wrong STREQUAL "0")
  set(course_ends_with "")
  set(course_pipes_as_usual "")
endif()

set(course_within_limits "")
if(COURSE_TIMEOUT AND COURSE_PRLIMIT)
  math(EXPR memory "${COURSE_COMPILE_MEMORY_MIB} << 20")
  math(EXPR file "${COURSE_COMPILE_FILE_MIB} << 20")
  math(EXPR killed "${COURSE_COMPILE_SECONDS} + 5")
  math(EXPR waiting "${COURSE_COMPILE_SECONDS} * 10") # for what never comes, or on a busy machine
  set(course_within_limits ${course_ends_with}
    "${COURSE_TIMEOUT}" --verbose --kill-after=2 ${waiting}
    "${COURSE_PRLIMIT}" --cpu=${COURSE_COMPILE_SECONDS}:${killed} --as=${memory} --fsize=${file} --core=0 ${course_pipes_as_usual})
  if(COURSE_BASH) # ninja keeps in memory all that a compiler says
    list(APPEND course_within_limits "${COURSE_BASH}" "${CMAKE_CURRENT_LIST_DIR}/first_mebibyte")
  endif()
endif()

set(course_link_whole "")
if(COURSE_BASH)
  set(course_link_whole "${COURSE_BASH}" "${CMAKE_CURRENT_LIST_DIR}/link_whole")
endif()
