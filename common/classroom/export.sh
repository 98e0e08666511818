#!/usr/bin/env bash
# ./course export: packs the course for others.
#
# --gradescope FILE.zip makes an autograder for Gradescope, by its documented contract: setup.sh makes
# the machine, run_autograder grades /autograder/submission and writes /autograder/results/results.json.
#
# FOLDER --without-solutions makes a repository to hand out. Our solutions and graders are in it as an
# archive that the build unpacks in its own folder: out of sight, not out of reach.
set -eu
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../process/environment.sh"
pass_little_on # nor any setting of git's: its ignored files, hooks and signatures are somebody else's
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*
readonly usage="./course export --gradescope FILE.zip, or FOLDER --without-solutions"
stop() { printf 'course: %s\n' "$*" >&2; exit 2; }

zip=""
folder=""
without=no
while [ $# -gt 0 ]; do
  case "$1" in
    --yes) ;;
    --gradescope)
      [ $# -gt 1 ] || stop "--gradescope wants the file to write; $usage"
      zip=$2
      shift ;;
    --without-solutions) without=yes ;;
    -*) stop "export takes no $1; $usage" ;;
    *)
      [ -z "$folder" ] || stop "export takes one folder, got $folder and $1"
      folder=$1 ;;
  esac
  shift
done
case "$without$zip$folder" in
  no?*) [ -z "$folder" ] || stop "a folder is for --without-solutions; $usage" ;;
  yes?*) [ -n "$folder" ] && [ -z "$zip" ] || stop "$usage" ;;
  *) stop "say what to export; $usage" ;;
esac
target=$(cd "${COURSE_CALLED_FROM:-.}" && realpath -m "$zip$folder")
[ -d "$(dirname "$target")" ] || stop "there is no folder $(dirname "$target")"
[ "$without" = no ] || [ ! -e "$target" ] || stop "$target is there already: give a new folder"
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../.."
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || stop "the course has to be a git clone to be exported"
[ ! -e ours.tar.gz ] || stop "this edition of the course comes without solutions: export from one that has them"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/course"
git ls-files -z | while IFS= read -r -d '' file; do
  if [ -e "$file" ]; then printf '%s\0' "$file"; fi
done | xargs -0 cp -P --parents -t "$work/course"

if [ "$without" = yes ]; then
  # Stubs as they were committed, whatever somebody has written in this clone.
  git archive HEAD lessons | tar xf - -C "$work/course"
  cd "$work/course"
  printf 'add_subdirectory(support)\n' >tests/CMakeLists.txt # all that graders need of the tests
  tar czf ours.tar.gz solutions tests/CMakeLists.txt tests/golden tests/lessons tests/support
  rm -rf solutions tests .ci .github lessons/TEACHING.md
  sed -E -e '/^\.\/course (test|solution) /d' -e '/^ctest --preset solutions/d' -e '/^tests\/ /d' \
    -e 's/ Our solutions are in .*//' -e 's/ +solutions\/ .*//' -e 's/Other presets: .*(Dependencies)/\1/' \
    -e '/^For a class: /,/^$/d' -e '/^The code, room by room/,/^$/d' \
    -e 's/; (\[the map\]\(common\/README.md\) says how grading|`\.github\/).*/./' README.md >README.new
  mv README.new README.md
  git init -q .
  git add -Af
  git -c user.name=course -c user.email=course@localhost commit -qm "The course"
  cd - >/dev/null
  cp -r "$work/course" "$target"
  printf 'Written: %s, a repository to hand out\n' "$target"
  exit 0
fi

cat >"$work/setup.sh" <<'SETUP'
#!/usr/bin/env bash
# Installs what the course needs and builds the graders, once: for any processor, as submissions may be
# graded on another machine than this. Grading our stubs builds all that is needed, and has the graders
# prove themselves.
set -eu
root=${AUTOGRADER:-/autograder}
cd "$root/source/course"
./course --yes doctor
cmake -D COURSE_HAS_MARCH_NATIVE=OFF build
mkdir -p "$root/hand_ins/stubs"
cp -r lessons "$root/hand_ins/stubs/"
./course class "$root/hand_ins" --out "$root/graded"
SETUP
cat >"$work/run_autograder" <<'RUN'
#!/usr/bin/env bash
# Grades a submission. Without results.json Gradescope says that the autograder failed, which is what
# is true when the machine is at fault.
set -u
root=${AUTOGRADER:-/autograder}
rm -rf "$root/hand_ins" "$root/graded"
mkdir -p "$root/hand_ins" "$root/results"
cp -a "$root/submission" "$root/hand_ins/submission"
cd "$root/source/course" || exit 1
./course class "$root/hand_ins" --out "$root/graded" --gradescope "$root/results/results.json"
RUN
chmod +x "$work/setup.sh" "$work/run_autograder" "$work/course/course"
(cd "$work" && cmake -E tar cf "$target" --format=zip setup.sh run_autograder course)
printf 'Written: %s\n' "$target"
