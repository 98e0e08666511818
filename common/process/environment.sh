# Programs whose output we read get only these variables of the user's environment, because personal settings
# (a language, colours, hooks) would change that output. run.cpp uses the same names.
course_passed="PATH HOME USER LOGNAME SHELL TMPDIR TERM CC CXX CXXFLAGS CPPFLAGS LDFLAGS CPATH C_INCLUDE_PATH \
CPLUS_INCLUDE_PATH LIBRARY_PATH COMPILER_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH SDKROOT MACOSX_DEPLOYMENT_TARGET \
CONDA_PREFIX CONDA_BUILD_SYSROOT PKG_CONFIG_PATH CMAKE_PREFIX_PATH CMAKE_INCLUDE_PATH CMAKE_LIBRARY_PATH \
CMAKE_TOOLCHAIN_FILE CMAKE_CXX_COMPILER_LAUNCHER CCACHE_DIR OPENBLAS_CORETYPE \
COURSE_AS_SHIPPED COURSE_RECORD"

# From here on, programs get no more of it.
pass_little_on() {
  local name
  for name in $(compgen -e); do
    case " $course_passed " in *" $name "*) ;; *) export -n "$name" ;; esac
  done
  export LC_ALL=C.UTF-8
}

# plain COMMAND…: runs it so.
plain() { (pass_little_on; exec "$@"); }

# Some look at TMP and TEMP as well, where this is not set.
export TMPDIR=${TMPDIR:-/tmp}
if ! [[ $TMPDIR = /* && -d $TMPDIR && -w $TMPDIR ]]; then
  printf 'TMPDIR is %s, which is not a writable folder: using /tmp instead.\n' "$TMPDIR" >&2
  TMPDIR=/tmp # as g++ does
fi
