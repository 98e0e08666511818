#!/usr/bin/env bash
# shellcheck disable=SC2016,SC2317  # the tools are texts here, and checks are called by name launcher_test.sh
# COURSE: tests a copy of the launcher in a tree of its own, with tools that only record their calls. Nothing
# is really installed or built.
set -u
readonly launcher=$1 root=${1%/*}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
work=$(readlink -f "$work")
failures=0

# tool NAME: a fake of that name, from standard input.
tool() {
  { printf '#!%s\nwork=%s\necho "%s $*" >>"$work/calls"\n' "$(command -v bash)" "$work" "$1"; cat; } >"$work/fake/$1"
  chmod +x "$work/fake/$1"
}

# Debian with nothing of the course installed, as root. What apt-get installs appears.
machine() {
  rm -rf "${work:?}"/*
  mkdir -p "$work/fake" "$work/real" "$work/tree/common"
  cp "$launcher" "$work/tree/course"
  for room in course process; do ln -s "$root/common/$room" "$work/tree/common/"; done
  for name in bash cat chmod cp dirname env grep head mkdir mktemp mv readlink rm sed tail tee touch; do
    ln -s "$(command -v "$name")" "$work/real/$name"
  done
  : >"$work/calls"
  tool id <<<'cat "$work/uid"'
  echo 0 >"$work/uid"
  tool sudo <<<'exec "$@"'
  tool dpkg-query <<<'[ -f "$work/installed" ] && printf installed'
  tool apt-get <<'FAKE'
[ ! -f "$work/apt_fails" ] || { echo "E: Unable to locate package $3"; exit 100; }
[ "$1" = update ] || { "$work/install_tools"; touch "$work/installed"; }
FAKE
  cat >"$work/install_tools" <<FAKE
#!$(command -v bash)
work=$work
mv "\$work"/later/* "\$work/fake/" 2>/dev/null
exit 0
FAKE
  chmod +x "$work/install_tools"
  for name in c++ gnuplot git; do tool "$name" <<<:; done
  tool cmake <<'FAKE'
[ ! -f "$work/cmake_fails" ] || { cat "$work/cmake_fails"; exit 1; }
mkdir -p build
echo rules >build/build.ninja
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/CMakeCache.txt
FAKE
  tool ninja <<'FAKE'
{ : >&9; } 2>/dev/null && echo "ninja has the lock" >>"$work/calls"
case " $* " in *" -n "*) [ -f build/course ] && echo "ninja: no work to do."; exit 0 ;; esac
[ ! -f "$work/ninja_fails" ] || { cat "$work/ninja_fails"; exit 1; }
printf '#!%s\necho "program $*"\nexit 7\n' "$BASH" >build/course
chmod +x build/course
FAKE
  mkdir "$work/later"
  (cd "$work/fake" && mv c++ gnuplot git cmake ninja "$work/later")
}

installed_machine() {
  machine
  "$work/install_tools"
  touch "$work/installed"
}

# course WORDS…: runs the launcher; leaves status, out and err.
course() {
  out=$(cd "$work" && PATH="$work/fake:$work/real" "$work/tree/course" "$@" 2>"$work/err" </dev/null)
  status=$?
  err=$(cat "$work/err")
}

called() { grep -q -x -e "$1" "$work/calls"; }
not_called() { ! grep -q -e "^$1" "$work/calls"; }
says() { case "$err" in *"$1"*) true ;; *) false ;; esac; }

# check SENTENCE COMMAND…: the command must succeed.
check() {
  local sentence=$1
  shift
  "$@" && return
  printf 'FAILED: %s\n  (%s)\n  status %s\n  out: %s\n  err: %s\n' "$sentence" "$*" "$status" "$out" "$err"
  failures=$((failures + 1))
}

machine
course list
check "without a terminal it says what it installs …" says "  apt-get install --no-install-recommends g++ cmake ninja-build git libxtensor-dev"
check "… installs it …" called "apt-get install -y --no-install-recommends g++ cmake .* zlib1g-dev libseccomp-dev"
check "… but not what only plot or bench need …" not_called "apt-get install.*\\(gnuplot\\|benchmark\\)"
check "… after the lists are fresh …" called "apt-get update"
check "… configures …" called "cmake --preset default"
check "… builds the program …" called "ninja -C build course exercise_pch judge grader_main"
check "… and hands over, words and exit status" [ "$status $out" = "7 program list" ]
check "root needs no sudo" not_called sudo

: >"$work/calls"
course grade "03.2" --format json
check "the second time it only hands over" [ "$status $out" = "7 program grade 03.2 --format json" ]
check "… without a word" [ -z "$err" ]
check "… and calls neither dpkg nor cmake" not_called "\(dpkg\|cmake\|apt\)"

machine
echo 1000 >"$work/uid"
course --yes list
check "a user who is not root installs through sudo, and reads so" says "  sudo apt-get install --no-install-recommends g++"
check "… and it does" called "sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y .*"
check "--yes is accepted and handed on" [ "$status $out" = "7 program --yes list" ]
rm "$work/fake/sudo" "$work/installed"
rm -r "$work/tree/build"
course list
check "what cmake finds in a folder of one's own needs no package" [ "$status $out" = "7 program list" ]
rm -r "$work/tree/build"
echo "CMake Error: xtensor" >"$work/cmake_fails"
course list
check "without sudo it says which packages are missing" says "course: these packages are missing, and there is no sudo to install them with: g++ cmake"
check "… and how to go on" says "name that folder in CMAKE_PREFIX_PATH, and run this again"
check "… with status 2" [ "$status" = 2 ]

machine
touch "$work/apt_fails"
course list
check "when apt-get fails, its last words are shown" says "E: Unable to locate package"
check "… with status 2" [ "$status" = 2 ]
check "… and nothing is built" not_called cmake

machine
rm "$work/fake/apt-get" "$work/fake/dpkg-query"
course list
for manager in "dnf install" "pacman -S" "brew install" "conda install"; do
  check "without apt it names the packages for $manager" says "$manager "
done
check "… with status 2" [ "$status" = 2 ]
"$work/install_tools"
course list
check "without apt, and all there, it goes on" [ "$status $out" = "7 program list" ]

# refused SENTENCE WORDS…: one line and status 2, and nothing is called for it.
refused() {
  : >"$work/calls"
  course "${@:2}"
  check "${*:2}: $1" [ "$status $out$err$(cat "$work/calls")" = "2 course: $1" ]
}
installed_machine
ln -s "$root/lessons" "$work/tree/lessons"
for command in "" list grade run hint solution reset doctor test plot bench book class export; do
  course $command --help
  check "$command --help is said at once" [ "$status $(head -n 1 <<<"$out" | grep -c "^Usage: ./course $command")" = "0 1" ]
  not_called "" || check "… and calls nothing" false
done
refused "there is no command grad; ./course --help lists what there is" grad
refused "there is no command grad; ./course --help lists what there is" grad --help
refused "there is no option --solutions; ./course grade --help lists what there is" grade 1 --solutions
refused "there is no option --no-experiment; a walk-through's own options come after --, as in ./course run 08 -- --no-experiment" run 8 --no-experiment
refused "--format takes text|json|junit, got xml; ./course grade --help lists what there is" grade --format=xml
refused "--level takes 1..3; ./course hint --help lists what there is" hint 03.2 --level
refused "there is no lesson or exercise 3.7; they are in lessons/" grade 3.2 3.7
refused "list takes no 01; ./course list --help lists what there is" list 01
refused "hint takes no 03.2; ./course hint --help lists what there is" hint 3.1 03.2
refused "solution: ID is required; ./course solution --help lists what there is" solution
refused "--port takes 1..65535, got 65536; ./course book --help lists what there is" book 3 --port 65536
refused "there is no folder nowhere" class nowhere
for name in 'a&b' "it's" 'a[1]' '$a'; do
  mv "$work/tree" "$work/$name"
  out=$(PATH="$work/fake:$work/real" "$work/$name/course" list 2>&1)
  mv "$work/$name" "$work/tree"
  check "the path $name is refused by the character in it" grep -qE "^course: the path .* has a [^a-z1(], which cmake or ninja cannot read" <<<"$out"
done
err=$(TMPDIR=/nowhere PATH="$work/fake:$work/real" "$work/tree/course" list 2>&1)
check "a missing TMPDIR is reported" says "TMPDIR is /nowhere, which is not a writable folder: using /tmp instead."
rm -r "$work/tree/build"
tool cmake <<<'env >"$work/environment"'
LANGUAGE=de NINJA_STATUS=x CLICOLOR_FORCE=1 CC=mine course list
check "a compiler that is named reaches cmake" grep -q '^CC=mine' "$work/environment"
check "… and no language, no colours" [ "$(grep -cE '^(LANGUAGE|NINJA_STATUS|CLICOLOR_FORCE)=' "$work/environment")" = 0 ]

installed_machine
tool flock <<<:
course list
check "the build is locked …" called "flock -n 9"
check "… and what builds does not inherit the lock" not_called "ninja has the lock"
check "… and the lock file names its holder" grep -q -x -E "[0-9]+" "$work/tree/build/course.lock"
rm "$work/tree/build/course"
echo 4711 >"$work/tree/build/course.lock"
tool flock <<<'[ "$1" != -n ]'
course list
check "whoever waits reads for which process" says "Waiting for another ./course, process 4711, which builds"
rm "$work/fake/flock"

installed_machine
echo "a file" >"$work/tree/build"
course list
check "a file named build is reported" [ "$err" = "course: cannot write in build/: make it a folder that is yours, or remove it" ]
check "… with status 2" [ "$status" = 2 ]

installed_machine
printf 'CMake Error at CMakeLists.txt:3 (find_package):\n  Could not find xtensor\n' >"$work/cmake_fails"
course list
check "when cmake fails, its error is shown" says "  Could not find xtensor"
check "… and where the rest is" says "course: cmake could not set up the build; its whole output is in build/configure.log"
check "… with status 2" [ "$status" = 2 ]
rm "$work/cmake_fails"
course list
check "once cmake works, so does the course" [ "$status $out" = "7 program list" ]

rm "$work/tree/build/course"
printf 'FAILED: main.o\nc++ main.cpp\nmain.cpp:1:1: error: oops\n' >"$work/ninja_fails"
course list
check "when the tools cannot be built, the failure is shown" says "main.cpp:1:1: error: oops"
check "… with status 2" [ "$status" = 2 ]
echo "fatal error: No space left on device" >"$work/ninja_fails"
course list
check "a full disk is reported" says "course: the disk is full: free some space"
check "… with status 2" [ "$status" = 2 ]

installed_machine
course list
mv "$work/tree" "$work/elsewhere"
ln -s "$work/elsewhere/course" "$work/fake/link"
: >"$work/calls"
out=$(cd / && PATH="$work/fake:$work/real" link list 2>"$work/err" </dev/null)
status=$? err=$(cat "$work/err")
check "a folder that was moved is configured anew" called "cmake --preset default --fresh"
check "… and it works from any folder, and through a link" [ "$status $out" = "7 program list" ]

installed_machine
course list
rm "$work/installed"
course --yes test --all
check "test --all installs what only that needs" called "apt-get install .*clang-tidy.*"

# installs COMMAND PACKAGES CACHED: what only that command needs, as the build's cache lacks it.
installs() {
  echo "$3" >>"$work/tree/build/CMakeCache.txt"
  : >"$work/calls"
  rm -f "$work/installed"
  course --yes $1
  check "$1 installs what only it needs" called "apt-get install -y --no-install-recommends $2"
  check "… and hands over" [ "$status $out" = "7 program --yes $1" ]
}
installed_machine
rm "$work/fake/gnuplot"
course list
check "without gnuplot the course is there" [ "$status $out" = "7 program list" ]
mkdir "$work/hand-ins"
installs plot gnuplot-nox ""
installs bench libbenchmark-dev "benchmark_DIR:PATH=benchmark_DIR-NOTFOUND"
check "… and the build is set up again" called "cmake --preset default --fresh"
installs "class hand-ins" "libarchive-dev libutf8proc-dev" "LibArchive_INCLUDE_DIR:PATH=x-NOTFOUND"
installs book "libcpp-httplib-dev libmd4c-dev libmd4c-html0-dev libjs-katex" "COURSE_HTTPLIB_INCLUDE:PATH=x-NOTFOUND"
: >"$work/calls"
course book
check "where they are, book installs nothing" not_called "apt-get install"
rm -f "$work/fake/gnuplot" "$work/installed"
touch "$work/apt_fails"
course plot
check "plot goes on without gnuplot where it cannot be installed" [ "$status $out" = "7 program plot" ]

if command -v script >/dev/null; then
  machine
  answer() {
    printf '%s' "$1" | SHELL=$(command -v bash) script -qec "PATH='$work/fake:$work/real' '$work/tree/course' list" /dev/null >"$work/err" 2>&1
    status=$? out="" err=$(cat "$work/err")
  }
  answer $'n\n'
  check "on a terminal it asks first" says "Go ahead? [Y/n]"
  check "… and takes a no" says "course: nothing was installed; the course needs: g++ cmake"
  check "… with status 2" [ "$status" = 2 ]
  check "nothing was called in all that" not_called "\(apt-get\|cmake\)"
  answer $'\n'
  check "Enter is a yes" called "apt-get install -y .*"
else
  echo "skipped: there is no script(1) to make a terminal with"
fi

[ "$failures" = 0 ] && echo "The launcher does what it should."
exit $((failures > 0))
