#!/usr/bin/env bash
# ./course export: what is in what it writes, and the autograder driven as Gradescope does.
#   $1 the clone   $2 the program behind ./course class
set -u
root=$1
classroom=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
check() {
  local what=$1
  shift
  if ! "$@" >/dev/null 2>&1; then
    echo "FAILED: $what"
    failed=1
  fi
}
export COURSE_CALLED_FROM=$work
export_course() { "$root/common/classroom/export.sh" "$@" >"$work/out" 2>"$work/err"; }

if ! git -C "$root" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
  echo "skipped: the course is not a git clone here"
  exit 0
fi

refused() { ! export_course "${@:2}" && grep -qF "$1" "$work/err" && [ "$(wc -l <"$work/err")" = 1 ]; }
check "without a word it says what it can do" refused "course: say what to export; "
check "an unknown option is refused" refused "course: export takes no --zip; " --zip
check "a folder alone is refused" refused "course: a folder is for --without-solutions; " somewhere
check "a folder that is there is not written over" refused "$work is there already" . --without-solutions

check "a clone as Windows' git makes it" git -c core.autocrlf=true clone -q "$root" "$work/windows"
check "… has scripts that start" bash -c "! grep -rlq \$'\\r' '$work/windows/course' '$work/windows/tests/run'"

# The student edition, under settings of git, of tar and of the language that a teacher may have.
mkdir "$work/hooks"
printf '*.gz\n' >"$work/ignored"
printf '#!/bin/sh\nexit 1\n' | tee "$work/hooks/pre-commit" >"$work/hooks/commit-msg"
chmod +x "$work"/hooks/*
export HOME=$work GIT_AUTHOR_DATE=never TAR_OPTIONS=--none LANGUAGE=de
git config --global core.excludesFile "$work/ignored"
git config --global core.hooksPath "$work/hooks"
git config --global commit.gpgsign true
check "it is exported" export_course students --without-solutions
unset TAR_OPTIONS
edition=$work/students
check "ours.tar.gz is committed" git -C "$edition" ls-files --error-unmatch ours.tar.gz
check "it is a repository with one commit" [ "$(git -C "$edition" rev-list --count HEAD)" = 1 ]
check "it has the stubs" grep -q 'todo("03.2"' "$edition/lessons/03_softmax/2_softmax_rows.cpp"
check "it has no solutions" [ ! -e "$edition/solutions" ]
check "it has no graders" [ ! -e "$edition/tests" ]
check "its README speaks of nothing that is not there" \
  [ -z "$(grep -oE 'solutions/|tests/|\.github|TEACHING|course (test|export|solution)' "$edition/README.md")" ]
check "… and of what is" grep -q '^## How to work' "$edition/README.md"
check "no file of it says where a solution begins" \
  [ -z "$(grep -rlE '^ *// solution [0-9]' "$edition" --include='*.cpp')" ]
check "our side is packed" tar tzf "$edition/ours.tar.gz" solutions/03_softmax/2_softmax_rows.cpp \
  tests/lessons/03_softmax/2_softmax_rows.mistakes tests/support/CMakeLists.txt
check "it cannot be exported once more" \
  bash -c "! '$edition/common/classroom/export.sh' more --without-solutions 2>'$work/err' && \
    grep -qx 'course: this edition of the course comes without solutions: export from one that has them' '$work/err'"
check "it can be set up, with our side unpacked in the build" \
  cmake -S "$edition" -B "$edition/build" -G Ninja
check "… where solutions are compiled from" \
  grep -q "$edition/build/ours/solutions/03_softmax/2_softmax_rows.cpp" "$edition/build/build.ninja"
check "… and stubs are cut from" [ -e "$edition/build/ours/solutions/03_softmax/2_softmax_rows.cpp" ]

# The autograder, laid out as Gradescope documents it: /autograder/source has what was zipped,
# run_autograder is copied to /autograder, and a student's files are in /autograder/submission.
check "the autograder is packed" export_course --gradescope grader.zip
export AUTOGRADER=$work/autograder
mkdir -p "$AUTOGRADER/source" "$AUTOGRADER/submission" "$AUTOGRADER/results"
(cd "$AUTOGRADER/source" && cmake -E tar xf "$work/grader.zip")
check "setup.sh can be run" [ -x "$AUTOGRADER/source/setup.sh" ]
check "it builds for any processor" grep -q 'COURSE_HAS_MARCH_NATIVE=OFF' "$AUTOGRADER/source/setup.sh"
check "the course is in it" [ -e "$AUTOGRADER/source/course/solutions/03_softmax/2_softmax_rows.cpp" ]
cp "$AUTOGRADER/source/run_autograder" "$AUTOGRADER/"
# In the place of the launcher: the program that is built here, and lesson 01 alone, to be quick.
cat >"$AUTOGRADER/source/course/course" <<END
#!/usr/bin/env bash
[ "\$1" = class ] || exit 9
exec "$classroom" "\$2" 01 "\${@:3}"
END
cp "$root/solutions/01_linear_projections/1_project.cpp" "$AUTOGRADER/submission/"
printf '#include "../nothing.hpp"\n' >"$AUTOGRADER/submission/2_compute_qkv.cpp"
grade() { "$AUTOGRADER/run_autograder" >"$work/said"; }
check "it grades a submission" grade
check "… and shows the instructor what is worth a look" \
  grep -q 'worth a look: 01.2 includes a file outside its lesson' "$work/said"
results=$AUTOGRADER/results/results.json
cat >"$work/results.cmake" <<END
file(READ "$results" text)
string(JSON count LENGTH "\${text}" tests)
string(JSON score GET "\${text}" tests 0 score)
string(JSON other GET "\${text}" tests 1 score)
if(NOT count EQUAL 3 OR NOT score EQUAL 1 OR NOT other EQUAL 0)
  message(FATAL_ERROR "\${count} \${score} \${other}")
endif()
END
check "the results are JSON, with a test an exercise" cmake -P "$work/results.cmake"
exit $failed
