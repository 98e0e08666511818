# Where our side is, solutions/ and tests/: in the clone, or in an edition for students, which has it packed,
# unpacked in the build. Files keep their times, so that unpacking again rebuilds nothing.
set(COURSE_OURS "${PROJECT_SOURCE_DIR}")
set(packed "${PROJECT_SOURCE_DIR}/ours.tar.gz") # made by ./course export --without-solutions
if(EXISTS "${packed}")
  set(COURSE_OURS "${CMAKE_BINARY_DIR}/ours")
  file(ARCHIVE_EXTRACT INPUT "${packed}" DESTINATION "${COURSE_OURS}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${packed}")
endif()
