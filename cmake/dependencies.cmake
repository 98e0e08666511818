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

# Arrays. XTENSOR_ENABLE_ASSERT makes an index out of range an exception instead of a wild read,
# which is what a learner needs; fast code works on row pointers and does not pay for it.
add_library(course_xtensor INTERFACE)
target_link_libraries(course_xtensor INTERFACE xtensor)
target_compile_definitions(course_xtensor INTERFACE XTENSOR_ENABLE_ASSERT)

# Products call cblas directly. Debian, conda and brew describe OpenBLAS by variables, vcpkg by a target.
add_library(course_blas INTERFACE)
if(TARGET OpenBLAS::OpenBLAS)
  target_link_libraries(course_blas INTERFACE OpenBLAS::OpenBLAS)
else()
  target_link_libraries(course_blas INTERFACE ${OpenBLAS_LIBRARIES})
  target_include_directories(course_blas SYSTEM INTERFACE ${OpenBLAS_INCLUDE_DIRS})
endif()
