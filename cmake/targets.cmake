# How the project's own code is compiled: warnings on, and errors where COURSE_WERROR says so.

add_library(course_sanitizers INTERFACE)
if(COURSE_SANITIZE)
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_compile_options(course_sanitizers INTERFACE ${flags})
  target_link_options(course_sanitizers INTERFACE ${flags})
endif()

# xtensor's shape arrays set off g++'s -Wmaybe-uninitialized, at a place that depends on the inlining.
add_library(course_quiet INTERFACE)
target_compile_options(course_quiet INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

# Graders, tests and exercises are compiled often and run briefly. Sanitized, they take g++ four times as
# long to optimise as not to.
set(course_quick -O1)
if(COURSE_SANITIZE)
  set(course_quick -O0)
endif()

add_library(course_options INTERFACE)
target_link_libraries(course_options INTERFACE course_sanitizers course_quiet)
target_include_directories(course_options INTERFACE "${PROJECT_SOURCE_DIR}/common")
target_compile_options(course_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion $<$<BOOL:${COURSE_WERROR}>:-Werror>)

# course_library(NAME SOURCES…): common/NAME, used as #include "NAME/…".
function(course_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PRIVATE course_options)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/common")
endfunction()

# course_test(NAME SOURCES… LIBRARIES …): a doctest program, run by ctest under the label `library`.
function(course_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE course_options test_support ${arg_LIBRARIES})
  target_compile_options(${name} PRIVATE ${course_quick})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS library TIMEOUT 120)
endfunction()
