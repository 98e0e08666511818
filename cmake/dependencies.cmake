# Everything the course builds on, found where the package manager put it: Debian's packages first,
# but nothing here knows about Debian. vcpkg, conda and brew name two targets differently.

find_package(xtensor REQUIRED)
find_package(xsimd REQUIRED)
find_package(OpenBLAS REQUIRED CONFIG)
find_package(Threads REQUIRED)
find_package(doctest REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(ZLIB REQUIRED)
find_package(benchmark QUIET) # for ./course bench alone
find_library(COURSE_SECCOMP seccomp) # Linux: keeps submissions from reaching other processes
find_path(COURSE_SECCOMP_INCLUDE seccomp.h)
if(NOT COURSE_SECCOMP_INCLUDE)
  set(COURSE_SECCOMP "")
endif()
find_package(LibArchive QUIET) # for ./course class: hand-ins that are zip or tar,
find_path(COURSE_UTF8PROC_INCLUDE utf8proc.h) # and names in the letters of a Mac
find_library(COURSE_UTF8PROC utf8proc)
mark_as_advanced(COURSE_UTF8PROC COURSE_UTF8PROC_INCLUDE)

# Arrays. XTENSOR_ENABLE_ASSERT makes an index out of range an exception instead of a wild read,
# which is what a learner needs; fast code works on row pointers and does not pay for it.
add_library(course_xtensor INTERFACE)
target_link_libraries(course_xtensor INTERFACE xtensor)
target_compile_definitions(course_xtensor INTERFACE XTENSOR_ENABLE_ASSERT)

# From 0.26 on xtensor's headers are in folders, <xtensor/io/xio.hpp>. We add the older names,
# <xtensor/xio.hpp>, so that the course's text and the learners' files fit every version.
get_target_property(folders xtensor INTERFACE_INCLUDE_DIRECTORIES)
set(names "${CMAKE_BINARY_DIR}/generated/xtensor_names")
foreach(folder IN LISTS folders)
  file(GLOB headers RELATIVE "${folder}" "${folder}/xtensor/*/*.hpp")
  foreach(header IN LISTS headers)
    get_filename_component(name "${header}" NAME)
    file(CONFIGURE OUTPUT "${names}/xtensor/${name}" CONTENT "#include <${header}>\n")
  endforeach()
  if(headers)
    target_include_directories(course_xtensor SYSTEM INTERFACE "${names}")
  endif()
endforeach()

# Products call cblas directly. Debian, conda and brew describe OpenBLAS by variables, vcpkg by a target.
add_library(course_blas INTERFACE)
if(TARGET OpenBLAS::OpenBLAS)
  target_link_libraries(course_blas INTERFACE OpenBLAS::OpenBLAS)
else()
  target_link_libraries(course_blas INTERFACE ${OpenBLAS_LIBRARIES})
  target_include_directories(course_blas SYSTEM INTERFACE ${OpenBLAS_INCLUDE_DIRS})
endif()

# For ./course book alone: a server, Markdown and formulas. COURSE_BOOK_MISSING names what is missing.
# vcpkg and conda describe httplib by a target: a header alone. Debian compiles it, with options that
# its users must give too; they are in its pkg-config file.
set(COURSE_BOOK_MISSING "")
find_package(md4c QUIET)
find_package(httplib QUIET)
if(NOT TARGET httplib::httplib)
  find_path(COURSE_HTTPLIB_INCLUDE httplib.h)
  find_library(COURSE_HTTPLIB cpp-httplib)
  if(COURSE_HTTPLIB_INCLUDE)
    add_library(httplib::httplib INTERFACE IMPORTED)
    target_include_directories(httplib::httplib INTERFACE "${COURSE_HTTPLIB_INCLUDE}")
    target_link_libraries(httplib::httplib INTERFACE Threads::Threads)
  endif()
  if(COURSE_HTTPLIB_INCLUDE AND COURSE_HTTPLIB)
    get_filename_component(folder "${COURSE_HTTPLIB}" DIRECTORY)
    set(options "")
    if(EXISTS "${folder}/pkgconfig/cpp-httplib.pc")
      file(STRINGS "${folder}/pkgconfig/cpp-httplib.pc" options REGEX "^Cflags:")
      string(REGEX MATCHALL "CPPHTTPLIB_[A-Z0-9_]+" options "${options}")
    endif()
    target_compile_definitions(httplib::httplib INTERFACE ${options})
    target_link_libraries(httplib::httplib INTERFACE "${COURSE_HTTPLIB}")
  endif()
endif()
# Where the server looks for KaTeX's files: it finds them without a build if they are installed later.
set(COURSE_KATEX "/usr/share/javascript/katex" CACHE PATH "The folder of katex.min.js, katex.min.css and fonts/")
if(NOT TARGET httplib::httplib)
  list(APPEND COURSE_BOOK_MISSING "cpp-httplib (Debian: libcpp-httplib-dev)")
endif()
if(NOT TARGET md4c::md4c-html)
  list(APPEND COURSE_BOOK_MISSING "md4c (Debian: libmd4c-dev and libmd4c-html0-dev)")
endif()
