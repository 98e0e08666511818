# How the project's own code is compiled: warnings on, and errors where COURSE_WERROR says so.

add_library(course_sanitizers INTERFACE)
if(COURSE_SANITIZE)
  # xsimd's exp converts −∞ to an integer on the way and does not use it; only clang reports that.
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
    $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=float-cast-overflow>)
  target_compile_options(course_sanitizers INTERFACE ${flags})
  target_link_options(course_sanitizers INTERFACE ${flags})
endif()

# xtensor's shape arrays set off g++'s -Wmaybe-uninitialized, at a place that depends on the inlining.
add_library(course_quiet INTERFACE)
target_compile_options(course_quiet INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)

# Last on every command line that has flags: a NaN must be recognised as one.
add_library(course_exact INTERFACE)
if(CMAKE_CXX_FLAGS)
  target_compile_options(course_exact INTERFACE -fno-fast-math)
  target_link_options(course_exact INTERFACE -fno-fast-math)
endif()

# Graders, tests and ./course itself are compiled often, or waited for, and run briefly.
set(course_quick -O0)

# A compiler for each core. ninja starts two more, and with two cores the whole then takes an eighth
# longer: each works on half a gigabyte.
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
set_property(GLOBAL PROPERTY JOB_POOLS compilers=${cores})
set(CMAKE_JOB_POOL_COMPILE compilers)

# g++ need not free memory that is mostly a precompiled header: this saves a tenth of its time.
set(course_large_heap "--param ggc-min-heapsize=524288")
# In files compiled as one, clang warns of a name in one that is also a global of another. g++ checks the
# same files without that.
set(course_shadow "$<$<NOT:$<AND:$<CXX_COMPILER_ID:Clang>,$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>>:-Wshadow>")
add_library(course_options INTERFACE)
target_link_libraries(course_options INTERFACE course_sanitizers course_quiet course_exact)
target_include_directories(course_options INTERFACE "${PROJECT_SOURCE_DIR}/common")
target_compile_options(course_options INTERFACE
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:${course_large_heap}>"
  -Wall -Wextra -Wpedantic ${course_shadow} -Wconversion $<$<BOOL:${COURSE_WERROR}>:-Werror>)

# In brief mode: as little optimised as is faster to compile than to run, and linked with the faster linker of
# GNU binutils, if it is installed. With clang's sanitizers that linker prints thousands of messages.
find_program(COURSE_GOLD ld.gold)
mark_as_advanced(COURSE_GOLD)
if(COURSE_BRIEF)
  set(CMAKE_CXX_FLAGS_RELEASE -Og)
  if(COURSE_GOLD AND NOT COURSE_SANITIZE)
    target_link_options(course_options INTERFACE -fuse-ld=gold)
  endif()
endif()

# Headers that nearly every file of ours includes, compiled once for libraries and once for quickly compiled
# targets: this saves a second per file.
file(WRITE "${CMAKE_BINARY_DIR}/generated/empty.cpp" "")
foreach(precompiled library_headers quick_headers)
  add_library(${precompiled} OBJECT "${CMAKE_BINARY_DIR}/generated/empty.cpp")
  target_link_libraries(${precompiled} PRIVATE course_options course_xtensor)
  target_precompile_headers(${precompiled} PRIVATE
    "${PROJECT_SOURCE_DIR}/common/attention/tensor.hpp" <algorithm> <cmath> <filesystem> <fstream>
    <functional> <iostream> <map> <optional> <random> <sstream> <stdexcept> <string> <variant> <vector>)
endforeach()
target_compile_options(quick_headers PRIVATE ${course_quick})

# course_quickly(TARGET): compiles it fast, for targets that are compiled often and run briefly.
function(course_quickly target)
  target_compile_options(${target} PRIVATE ${course_quick})
  target_link_libraries(${target} PRIVATE course_xtensor)
  target_precompile_headers(${target} REUSE_FROM quick_headers)
endfunction()

# course_together(TARGET [COUNT]): its files are compiled several at a time, headers once, except where
# COURSE_UNITY is off. They must not use the same name for different things.
function(course_together target)
  course_tests_together(${target} ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${COURSE_UNITY})
endfunction()

# course_tests_together(TARGET [COUNT]): the same, everywhere.
function(course_tests_together target)
  set(count ${ARGN} 50)
  list(GET count 0 count)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
endfunction()

# course_quick_library(NAME SOURCES…): common/NAME, for which a newcomer waits. Compiling its files together
# is faster than precompiling their headers.
function(course_quick_library name)
  add_library(${name} STATIC ${ARGN})
  course_together(${name})
  target_link_libraries(${name} PRIVATE course_options course_xtensor)
  target_compile_options(${name} PRIVATE ${course_quick})
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/common")
  if(NOT COURSE_UNITY)
    target_precompile_headers(${name} REUSE_FROM quick_headers)
  endif()
endfunction()

# course_library(NAME SOURCES…): common/NAME, used as #include "NAME/…".
function(course_library name)
  course_plain_library(${ARGV})
  target_precompile_headers(${name} REUSE_FROM library_headers)
endfunction()

# course_plain_library(NAME SOURCES…): the same without precompiled headers, which take longer than a
# newcomer wants to wait for the first verdict.
function(course_plain_library name)
  add_library(${name} STATIC ${ARGN})
  target_link_libraries(${name} PRIVATE course_options course_xtensor)
  target_include_directories(${name} PUBLIC "${PROJECT_SOURCE_DIR}/common")
endfunction()

# course_kernels(SOURCES… OPTIONS …): inner loops, compiled for the machine at hand. They include nothing
# that another file could share.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-march=native COURSE_HAS_MARCH_NATIVE)
function(course_kernels)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "OPTIONS")
  set(options -O2 $<$<BOOL:${COURSE_HAS_MARCH_NATIVE}>:-march=native>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized> ${arg_OPTIONS}) # g++ 12 suspects its own AVX-512 header
  set_source_files_properties(${arg_UNPARSED_ARGUMENTS} PROPERTIES
    COMPILE_OPTIONS "${options}" SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# course_command_line(SOURCES…): CLI11's templates take twice as long to optimise, and run once.
function(course_command_line)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${course_quick}" SKIP_PRECOMPILE_HEADERS ON)
endfunction()

# course_test(NAME SOURCES… LIBRARIES …): a doctest program, run by ctest under the label `library`.
function(course_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBRARIES")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE course_options test_support ${arg_LIBRARIES})
  course_quickly(${name})
  course_together(${name} 10)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS library TIMEOUT 600) # ends what hangs; a loaded machine is slow
endfunction()
