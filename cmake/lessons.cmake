# Lessons are found by their manifests, lessons/NN_name/lesson.json; the same folder name holds the
# solutions, and under tests/lessons the grader. For each lesson NN_name with exercises NN.M:
#
#   exercise_NN.M, solution_NN.M   one object each: the learner's file, ours
#   submission_NN.M       the learner's exercise beside our other ones: what is graded
#   submission_NN_name_{stubs,solutions,alternatives}
#                         the same for our tests; stubs are our solutions, cut
#   mistakes_NN.M         what people get wrong in an exercise: a program made of its .mistakes
#   lesson_NN             all that lessons_test needs of one lesson
#   grader_NN_name        calls a submission and judges its answers
#   walkthrough_NN_name, walkthrough_NN_name_solution   run the idea on either side
#   pictures_NN_name      draws the page's pictures, where the lesson has a pictures.cpp
#   bench_NN_name, bench_NN_name_solution     time the exercise that the manifest names under "bench",
#                         where the lesson has a bench.cpp; compiled for the machine at hand
#
# A manifest may name "libraries" that its "exercises" or its "walkthrough" need beside attention, and
# exercises of "earlier" lessons that its walkthrough calls.
#
# No file of a learner's is part of `all`: one that does not compile yet must not stop a build.

# How every exercise is compiled, whoever wrote it: fast to compile, asserts on, never -Werror.
# What is linked beside them is compiled in the same way, since the linker keeps one copy of a template
# that both use. With sanitizers, optimising takes g++ four times as long.
set(exercise_optimisation $<IF:$<BOOL:${COURSE_SANITIZE}>,-O0,-Og>)
add_library(exercise_options INTERFACE)
target_link_libraries(exercise_options INTERFACE course_xtensor course_sanitizers course_quiet course_exact)
target_include_directories(exercise_options INTERFACE "${PROJECT_SOURCE_DIR}/common")
target_compile_options(exercise_options INTERFACE ${exercise_optimisation}
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:${course_large_heap}>"
  $<IF:$<BOOL:$<TARGET_PROPERTY:COURSE_WITHOUT_LINES>>,-g0,-g1> -UNDEBUG -Wall -Wextra -Wpedantic
  $<$<CXX_COMPILER_ID:GNU>:-fmax-errors=20>)
# An index out of range ends the program with a message, in a std::vector as in an array of xtensor.
target_compile_definitions(exercise_options INTERFACE _GLIBCXX_ASSERTIONS)
# A variable without a value gets an absurd one, so that using it is wrong every time.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-ftrivial-auto-var-init=pattern COURSE_HAS_PATTERN)
if(COURSE_HAS_PATTERN)
  target_compile_options(exercise_options INTERFACE -ftrivial-auto-var-init=pattern)
endif()
# So does writing past the end of an array on the stack.
check_cxx_compiler_flag(-fstack-protector-strong COURSE_HAS_STACK_PROTECTOR)
if(COURSE_HAS_STACK_PROTECTOR)
  target_compile_options(exercise_options INTERFACE -fstack-protector-strong)
endif()

add_library(exercise_pch OBJECT "${CMAKE_BINARY_DIR}/generated/empty.cpp")
target_link_libraries(exercise_pch PRIVATE exercise_options)
target_precompile_headers(exercise_pch PRIVATE
  "${PROJECT_SOURCE_DIR}/common/attention/tensor.hpp" <algorithm> <cmath> <deque> <limits> <numeric>
  <optional> <stdexcept> <string> <vector>)

# course_beside_exercises(TARGET): our code that is linked with exercises, compiled as they are; and the
# graders, which take no longer to compile than without optimisation and compute as much. We skip debug
# info, a seventh of the compile time; only sanitizers need it.
function(course_beside_exercises target)
  target_link_libraries(${target} PRIVATE course_options exercise_options)
  if(NOT COURSE_SANITIZE)
    set_target_properties(${target} PROPERTIES COURSE_WITHOUT_LINES ON)
  else() # g++ 12 then suspects what the pattern has been written over, in fmt
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>)
  endif()
  target_precompile_headers(${target} REUSE_FROM exercise_pch)
endfunction()

# What the manifest names under "libraries", for: exercises or walkthrough.
function(read_libraries result manifest for)
  set(libraries "")
  string(JSON count ERROR_VARIABLE none LENGTH "${manifest}" libraries ${for})
  if(NOT none)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
      string(JSON library GET "${manifest}" libraries ${for} ${index})
      list(APPEND libraries ${library})
    endforeach()
  endif()
  set(${result} "${libraries}" PARENT_SCOPE)
endfunction()

# A source file as a separate object. GENERATED: it may be missing, and ./course reports that.
function(add_exercise_object target source lesson)
  add_library(${target} OBJECT ${source})
  set_source_files_properties(${source} PROPERTIES GENERATED TRUE)
  target_link_libraries(${target} PRIVATE exercise_options)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/lessons/${lesson}")
  target_precompile_headers(${target} REUSE_FROM exercise_pch)
endfunction()

# For sections that link-time optimisation leaves, a linker takes options for compiler and assembler from the
# object: a learner's file could choose them, and have any file written.
add_library(exercise_links INTERFACE)
target_link_options(exercise_links INTERFACE -fno-lto)

# A program that answers calls: the lesson's exports and one object for each of its exercises.
function(add_submission target lesson)
  add_executable(${target})
  get_property(libraries GLOBAL PROPERTY course_libraries_${lesson})
  target_link_libraries(${target} PRIVATE
    judge_values ${libraries} attention course_sanitizers exercise_links exports_${lesson} ${ARGN})
  target_link_options(${target} PRIVATE $<$<PLATFORM_ID:Linux>:-Wl,--as-needed>)
endfunction()

# Commands whose time or size a learner's file can increase are limited by cmake/limits.cmake.
function(course_limited what)
  set(launcher ${course_within_limits} ${CMAKE_CXX_${what}_LAUNCHER})
  set_target_properties(${ARGN} PROPERTIES CXX_${what}_LAUNCHER "${launcher}")
endfunction()

# How a file of mistakes is compiled.
function(compile_mistakes target lesson)
  target_compile_definitions(${target} PRIVATE JUDGE_VARIANTS)
  course_beside_exercises(${target})
  target_compile_options(${target} PRIVATE -w) # they are wrong on purpose
  target_include_directories(${target} PRIVATE
    "${PROJECT_SOURCE_DIR}/lessons/${lesson}" "${COURSE_OURS}/tests/lessons/${lesson}" "${COURSE_OURS}/tests")
endfunction()

function(add_course_lesson folder)
  get_filename_component(lesson "${folder}" NAME)
  list(APPEND CMAKE_CXX_LINKER_LAUNCHER ${course_link_whole})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/lesson.json")
  file(READ "${folder}/lesson.json" manifest)
  string(JSON count ERROR_VARIABLE wrong LENGTH "${manifest}" exercises)
  if(wrong)
    message(FATAL_ERROR "cannot read lessons/${lesson}/lesson.json; `git checkout lessons/${lesson}/lesson.json` brings it back")
  endif()
  read_libraries(exercise_libraries "${manifest}" exercises)
  set_property(GLOBAL PROPERTY course_libraries_${lesson} ${exercise_libraries})
  read_libraries(walkthrough_libraries "${manifest}" walkthrough)
  math(EXPR last "${count} - 1")
  set(solutions "${COURSE_OURS}/solutions/${lesson}")
  set(tests "${COURSE_OURS}/tests/lessons/${lesson}")
  set(stubs "${CMAKE_BINARY_DIR}/stubs/${lesson}")
  # Files that are found by their names below come and go with an update; a folder's time shows that. In an
  # edition for students this follows from its archive.
  if(COURSE_OURS STREQUAL PROJECT_SOURCE_DIR)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${tests}")
  endif()
  foreach(list IN ITEMS ids learner graded references files cut wrong)
    set(${list} "") # a function sees its caller's variables
  endforeach()

  set(strictly -Wshadow -Wconversion $<$<BOOL:${COURSE_WERROR}>:-Werror>)
  foreach(index RANGE ${last})
    string(JSON id ERROR_VARIABLE no_id GET "${manifest}" exercises ${index} id)
    string(JSON file ERROR_VARIABLE no_file GET "${manifest}" exercises ${index} file)
    if(no_id OR no_file)
      message(FATAL_ERROR "cannot read lessons/${lesson}/lesson.json; `git checkout lessons/${lesson}/lesson.json` brings it back")
    endif()
    list(APPEND ids ${id})
    list(APPEND learner exercise_${id})
    list(APPEND graded submission_${id})
    list(APPEND references solution_${id})
    list(APPEND files "${solutions}/${file}")
    add_exercise_object(exercise_${id} "${COURSE_EXERCISES}/${lesson}/${file}" ${lesson})
    course_limited(COMPILER exercise_${id})
    target_compile_options(exercise_${id} PRIVATE -pipe) # one that is ended leaves no file
    add_exercise_object(solution_${id} "${solutions}/${file}" ${lesson})
    target_compile_options(solution_${id} PRIVATE ${strictly})
    add_custom_command(OUTPUT "${stubs}/${file}"
      COMMAND cut_stub "${solutions}/${file}" "${stubs}/${file}"
      DEPENDS cut_stub "${solutions}/${file}" VERBATIM)
    list(APPEND cut "${stubs}/${file}")
  endforeach()
  add_exercise_object(stubs_${lesson} "${cut}" ${lesson})
  course_tests_together(stubs_${lesson})
  target_compile_options(stubs_${lesson} PRIVATE $<$<BOOL:${COURSE_WERROR}>:-Werror>)
  set(ours ${references})
  if(COURSE_BRIEF) # nobody needs each on its own
    set(ours solutions_${lesson})
    add_exercise_object(${ours} "${files}" ${lesson})
    course_tests_together(${ours})
    target_compile_options(${ours} PRIVATE ${strictly})
    set_target_properties(${references} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()

  add_library(exports_${lesson} OBJECT "${PROJECT_SOURCE_DIR}/common/judge/child_main.cpp")
  course_beside_exercises(exports_${lesson})
  target_include_directories(exports_${lesson} PRIVATE "${folder}" "${COURSE_OURS}/tests")
  target_compile_definitions(exports_${lesson} PRIVATE JUDGE_CHILD "JUDGE_EXPORTS=\"${tests}/exports.hpp\"")

  foreach(id IN LISTS ids)
    add_test(NAME lesson_${id} COMMAND course grade ${id} --skip-not-started)
    add_test(NAME solution_${id} COMMAND grader_${lesson}
      --exercise ${id} --submission $<TARGET_FILE:submission_${lesson}_solutions>)
    set_tests_properties(lesson_${id} PROPERTIES LABELS lessons SKIP_RETURN_CODE 77)
    set_tests_properties(solution_${id} PROPERTIES LABELS solutions)
    set(others ${references})
    list(REMOVE_ITEM others solution_${id})
    add_submission(submission_${id} ${lesson} exercise_${id} ${others})
    course_limited(LINKER submission_${id})
  endforeach()
  # What people get wrong in an exercise: a program of each file of mistakes. In brief mode the files of a
  # lesson are compiled together, which takes two thirds of the time.
  foreach(index RANGE ${last})
    string(JSON id GET "${manifest}" exercises ${index} id)
    string(JSON file GET "${manifest}" exercises ${index} file)
    string(REPLACE ".cpp" ".mistakes" list "${file}")
    string(JSON functions GET "${manifest}" exercises ${index} functions)
    string(REGEX MATCHALL "[A-Za-z0-9_]+" functions "${functions}")
    string(REGEX REPLACE "^[0-9]+_" "" contract "${lesson}")
    set(contract "${folder}/${contract}.hpp")
    file(GLOB parts "${COURSE_OURS}/tests/lessons/parts/*.mistakes")
    set(source "${CMAKE_BINARY_DIR}/mistakes/${id}.cpp")
    file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/mistakes")
    add_custom_command(OUTPUT "${source}"
      COMMAND make_mistakes "${source}" "${solutions}/${file}" "${tests}/${list}" ${contract} "${tests}/exports.hpp" ${functions}
      DEPENDS make_mistakes "${solutions}/${file}" "${tests}/${list}" ${contract} "${tests}/exports.hpp" ${parts} VERBATIM)
    add_submission(mistakes_${id} ${lesson} ${ours})
    if(COURSE_BRIEF)
      list(APPEND wrong "${source}")
      target_link_libraries(mistakes_${id} PRIVATE mistakes_${lesson})
    else()
      target_sources(mistakes_${id} PRIVATE "${source}")
      compile_mistakes(mistakes_${id} ${lesson})
    endif()
  endforeach()
  if(COURSE_BRIEF)
    add_library(mistakes_${lesson} OBJECT ${wrong})
    course_tests_together(mistakes_${lesson})
    compile_mistakes(mistakes_${lesson} ${lesson})
  endif()
  add_submission(submission_${lesson}_stubs ${lesson} stubs_${lesson})
  add_submission(submission_${lesson}_solutions ${lesson} ${ours})
  set(program submission_${lesson}_alternatives)
  add_submission(${program} ${lesson} ${ours})
  target_sources(${program} PRIVATE "${tests}/also_right.cpp")
  target_compile_definitions(${program} PRIVATE JUDGE_VARIANTS)
  course_beside_exercises(${program})
  target_link_libraries(${program} PRIVATE scaled_dot_product_attention) # a right solution may call it
  if(NOT COURSE_THOROUGH) # nothing else uses it
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
  target_include_directories(${program} PRIVATE "${folder}" "${COURSE_OURS}/tests")
  # All that lessons_test needs of one lesson: lesson_04.
  string(SUBSTRING ${lesson} 0 2 number)
  list(TRANSFORM ids PREPEND mistakes_ OUTPUT_VARIABLE mistakes)
  add_custom_target(lesson_${number} DEPENDS lessons_test grader_${lesson} ${mistakes}
    submission_${lesson}_stubs submission_${lesson}_solutions submission_${lesson}_alternatives)
  set_property(GLOBAL APPEND PROPERTY course_lessons ${lesson})
  set_property(GLOBAL PROPERTY course_exercises_${lesson} ${ids})

  file(GLOB graders "${tests}/[0-9]_*.cpp")
  add_executable(grader_${lesson} ${graders})
  target_link_libraries(grader_${lesson} PRIVATE grader_main judge domain ${exercise_libraries} attention test_golden doctest::doctest)
  course_beside_exercises(grader_${lesson})
  course_tests_together(grader_${lesson})
  target_include_directories(grader_${lesson} PRIVATE "${folder}" "${tests}" "${COURSE_OURS}/tests")

  add_library(walkthrough_${lesson}_main OBJECT "${folder}/walkthrough.cpp")
  course_beside_exercises(walkthrough_${lesson}_main)
  target_include_directories(walkthrough_${lesson}_main PRIVATE "${folder}")
  foreach(side "" "_solution")
    add_executable(walkthrough_${lesson}${side})
    target_link_libraries(walkthrough_${lesson}${side} PRIVATE
      walkthrough_${lesson}_main walkthrough_main ${walkthrough_libraries} ${exercise_libraries}
      attention show course_sanitizers exercise_links)
  endforeach()
  string(JSON earlier ERROR_VARIABLE none GET "${manifest}" earlier)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" earlier "${earlier}")
  foreach(id IN LISTS earlier)
    target_link_libraries(walkthrough_${lesson} PRIVATE exercise_${id})
    target_link_libraries(walkthrough_${lesson}_solution PRIVATE solution_${id})
  endforeach()
  target_link_libraries(walkthrough_${lesson} PRIVATE ${learner})
  course_limited(LINKER walkthrough_${lesson})
  set_target_properties(walkthrough_${lesson} ${learner} ${graded} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  target_link_libraries(walkthrough_${lesson}_solution PRIVATE ${ours})
  if(COURSE_BRIEF) # those that a test runs are built by ./course run
    set_target_properties(walkthrough_${lesson}_solution walkthrough_${lesson}_main PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()

  if(EXISTS "${folder}/pictures.cpp" AND NOT COURSE_BRIEF)
    add_executable(pictures_${lesson} "${folder}/pictures.cpp")
    target_link_libraries(pictures_${lesson} PRIVATE course_options pictures_main attention show fmt::fmt)
    course_quickly(pictures_${lesson})
    add_test(NAME pictures_${lesson} COMMAND pictures_${lesson} "${folder}" --check)
    set_tests_properties(pictures_${lesson} PROPERTIES LABELS integrity)
  endif()

  if(EXISTS "${folder}/bench.cpp")
    string(JSON timed GET "${manifest}" bench)
    set_property(GLOBAL PROPERTY course_timed_${lesson} ${timed})
    list(FIND ids ${timed} index)
    string(JSON file GET "${manifest}" exercises ${index} file)
    set(others ${references})
    list(REMOVE_ITEM others solution_${timed})
    foreach(side "" "_solution")
      set(source "${COURSE_EXERCISES}/${lesson}/${file}")
      if(side)
        set(source "${solutions}/${file}")
      endif()
      add_executable(bench_${lesson}${side} "${folder}/bench.cpp" "${source}")
      target_link_libraries(bench_${lesson}${side} PRIVATE course_xtensor course_sanitizers course_quiet course_exact
        bench_mine exercise_links ${exercise_libraries} ${others})
      target_include_directories(bench_${lesson}${side} PRIVATE "${folder}")
      target_compile_options(bench_${lesson}${side} PRIVATE -O3 -ffp-contract=fast
        $<$<BOOL:${COURSE_HAS_MARCH_NATIVE}>:-march=native> $<$<CXX_COMPILER_ID:GNU>:-Wno-uninitialized>)
      set_target_properties(bench_${lesson}${side} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    endforeach()
    if(COURSE_THOROUGH)
      set_target_properties(bench_${lesson}_solution PROPERTIES EXCLUDE_FROM_ALL FALSE)
      add_test(NAME bench_${lesson} COMMAND bench_${lesson}_solution --n 203 --d 37 --threads 2 --seconds 0)
      set_tests_properties(bench_${lesson} PROPERTIES LABELS integrity)
    endif()
  endif()
endfunction()

function(add_course_lessons)
  # The folder's own time changes when a lesson is added or removed, so ninja need not look for itself.
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/lessons")
  file(GLOB manifests "${PROJECT_SOURCE_DIR}/lessons/*/lesson.json")
  list(SORT manifests)
  foreach(manifest IN LISTS manifests)
    get_filename_component(folder "${manifest}" DIRECTORY)
    get_filename_component(lesson "${folder}" NAME)
    add_course_lesson("${folder}")
    list(APPEND judged grader_${lesson} submission_${lesson}_solutions)
    list(APPEND lessons ${lesson})
  endforeach()
  add_custom_target(graded_solutions DEPENDS ${judged})
  # What a newcomer waits for: all that grading the first lesson needs except the learner's own files.
  list(GET lessons 0 first)
  get_property(ids GLOBAL PROPERTY course_exercises_${first})
  list(TRANSFORM ids PREPEND mistakes_)
  add_custom_target(first_lesson DEPENDS grader_${first} ${ids})
endfunction()
