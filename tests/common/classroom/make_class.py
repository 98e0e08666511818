#!/usr/bin/env python3
"""Makes a folder of hand-ins, for ./course class to be timed and tried on.

  make_class.py FOLDER different [COUNT]   everything solved, each hand-in in a text of its own
  make_class.py FOLDER typical [COUNT]     as a class is: half-way, with stubs, slips, and solutions copied
  make_class.py FOLDER rough [COUNT]       and sixty of which some are late, nested, damaged or hostile

The same words make the same class. Texts are this repository's solutions, with other names for their
variables; nothing is executed.
"""

import json
import os
import pathlib
import random
import re
import shutil
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|\w+|.', re.S)
DECLARED = re.compile(
    r"\b(?:auto|bool|double|float|int|std::size_t|std::string|std::int64_t|Matrix|Vector|Tensor3|Value|Array"
    r"|MatrixF|std::vector<[^;()]*?>)\s*[&*]?\s+(\w+)\b(?=\s*(?:=|:[^:]|;|\{|,|\)))")


def exercises():
    """(lesson's folder, exercise) for all of the course, in order."""
    for manifest in sorted(ROOT.glob("lessons/*/lesson.json")):
        for exercise in json.loads(manifest.read_text())["exercises"]:
            yield manifest.parent.name, exercise


def solution(lesson, exercise):
    return (ROOT / "solutions" / lesson / exercise["file"]).read_text()


def stub(lesson, exercise):
    """What reset would write: the parts between `// solution` and `// end` cut out."""
    def cut(match):
        return f'{match[1]}todo("{exercise["id"]}"{", " + match[2] if match[2] else ""});\n'
    text = re.sub(r"([ \t]*)// solution [\d.]+(?: \(([^)]*)\))?:?[^\n]*\n.*?// end\n", cut,
                  solution(lesson, exercise), flags=re.S)
    committed = ROOT / "lessons" / lesson / exercise["file"]
    return committed.read_text() if committed.exists() else text


def in_other_words(text, exercise, draw):
    """The same code with other names for its variables, and a remark of the student's."""
    text = re.sub(r"[ \t]*// (?:solution [^\n]*|end)\n", "", text)
    names = set(DECLARED.findall(text)) - set(exercise["functions"])
    suffix = draw.choice(["", "_", "x", "s"]) + str(draw.randrange(10, 10**5))
    renamed = {name: f"{name}_{suffix}" for name in sorted(names) if draw.random() < 0.9}
    tokens = TOKEN.findall(text)
    out = []
    for i, token in enumerate(tokens):
        free = tokens[i - 1] != "." and tokens[max(i - 2, 0):i] != [":", ":"] and tokens[i + 1:i + 3] != [":", ":"]
        out.append(renamed.get(token, token) if free else token)
    remark = f"// Attempt {draw.randrange(2, 40)}: {draw.choice(['works', 'checked by hand', 'in loops', 'as on the page'])}\n"
    return remark + "".join(out)


def with_slip(text, draw):
    """With one small thing wrong, as it happens."""
    slips = [(" * ", " + "), (" + ", " - "), (" / ", " * "), (" < ", " <= "), ("(i, j)", "(j, i)"), (" = 0;", " = 1;")]
    for was, becomes in draw.sample(slips, len(slips)):
        places = [m.start() for m in re.finditer(re.escape(was), text)]
        if places:
            at = draw.choice(places)
            return text[:at] + becomes + text[at + len(was):]
    return text.replace(";", "", 1)


def put(folder, files):
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())


def solved(draw):
    return {f"lessons/{lesson}/{e['file']}": in_other_words(solution(lesson, e), e, draw) for lesson, e in exercises()}


def half_way(draw):
    """Solved to some lesson, and there some stubs, slips, and what ./course solution shows."""
    everything = list(exercises())
    reached = draw.randrange(len(everything) // 3, len(everything) + 1)
    files = {}
    for number, (lesson, exercise) in enumerate(everything):
        kind = draw.random()
        if number >= reached or kind < 0.08:
            text = stub(lesson, exercise)
        elif kind < 0.25:
            text = solution(lesson, exercise)
        elif kind < 0.35:
            text = with_slip(in_other_words(solution(lesson, exercise), exercise, draw), draw)
        else:
            text = in_other_words(solution(lesson, exercise), exercise, draw)
        files[f"lessons/{lesson}/{exercise['file']}"] = text
    return files


FIRST = "lessons/01_linear_projections/1_project.cpp"
HEAD = '#include "linear_projections.hpp"\n'
PROJECT = "namespace lesson {{ Matrix project(const Matrix& X, const Matrix& W) {{ {} }} }}\n"

# What is handed in as 01.1 by those who mean harm, or whose editor did.
HOSTILE = {
    "forks": HEAD + "#include <unistd.h>\n" + PROJECT.format("for (;;) fork(); return X;"),
    "exits": HEAD + "#include <cstdlib>\n" + PROJECT.format("std::_Exit(0); return X + W;"),
    "says_so": HEAD + "#include <cstdio>\n" + PROJECT.format('std::puts("SUCCESS 01.1 passed"); return X;'),
    "never_ends": HEAD + PROJECT.format("for (volatile int i = 0;; i = i + 1) {} return X;"),
    "at_start": HEAD + "static int ended = (__builtin_exit(0), 1);\n" + PROJECT.format("return X;"),
    "eats_memory": HEAD + PROJECT.format("std::vector<std::vector<char>> all; for (;;) all.emplace_back(1 << 24, 'x');"),
    "kills": HEAD + "#include <csignal>\n#include <unistd.h>\n"
             + PROJECT.format("kill(-1, SIGKILL); kill(getppid(), SIGKILL); return X;"),
    "writes": HEAD + "#include <fstream>\n"
              + PROJECT.format('std::ofstream("/tmp/course_was_here") << 1; std::ofstream("../was_here") << 1; return X;'),
    "includes_zero": '#include "/dev/zero"\n',
    "includes_itself": '#include "1_project.cpp"\n',
    "includes_a_neighbour": HEAD + '#include "../../../0/lessons/01_linear_projections/1_project.cpp"\n',
    "includes_ours": '#include "../../solutions/01_linear_projections/1_project.cpp"\n',
    "includes_ours_by_path": f'#include "{ROOT}/solutions/01_linear_projections/1_project.cpp"\n',
    "deep_templates": HEAD + "template <int N> struct D { static constexpr int v = D<N + 1>::v; };\n"
                      "static_assert(D<0>::v);\n",
    "long_constexpr": HEAD + "constexpr long f(long n) { long s = 0; for (long i = 0; i < n; ++i) s += i; return s; }\n"
                      "constexpr long all = f(1L << 40);\n",
    "long_line": HEAD + PROJECT.format("return X" + " + W" * 7000 + ";"),
    "long_name": HEAD + PROJECT.format(f"int {'a' * 300000} = 1; return X;"),
    "incbin": HEAD + '__asm__(".incbin \\"/dev/zero\\"");\n' + PROJECT.format("return X;"),
    "disk_full": "#error No space left on device\n",
    "killed_they_say": "#error g++: fatal error: Killed signal terminated program cc1plus\n",
    "control_characters": HEAD + "#include <cstdio>\n#include <stdexcept>\n" + PROJECT.format(
        'std::puts("\\x01 \\xef\\xbf\\xbe ]]> \\xed\\xa0\\x80 \\x1b[31m"); throw std::runtime_error("]]> \\xff\\x02");'),
    "no_utf8": b"\xff\xfe\x00garbage \x80\x81\n" + HEAD.encode(),
    "zeros": b"\x00" * 4096,
    "two_mains": HEAD + "int main() { return 0; }\n" + PROJECT.format("return X;"),
}


def put_hostile(folder, name, text, draw):
    put(folder, half_way(draw) | {FIRST: text})


def link_and_pipe(folder):
    lesson = folder / "lessons/01_linear_projections"
    lesson.mkdir(parents=True)
    (lesson / "1_project.cpp").symlink_to("/etc/passwd")
    os.mkfifo(lesson / "2_compute_qkv.cpp")
    (folder / "up").symlink_to("..")


def zip_of(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def tar_of(path, folder, inside):
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, inside)
    shutil.rmtree(folder)


def make_rough(root, count, draw):
    shapes = ["folder", "nested", "flat", "zip", "tar", "moodle", "late", "future", "crlf", "copied"]
    names = [f"{i:02d} {draw.choice(['Ada', 'Bo', 'Çelik', 'Dé', 'O’Neil', 'Łuk'])}" for i in range(count)]
    shared = solved(draw)
    hostile = list(HOSTILE.items())
    for i, name in enumerate(names):
        folder = root / name
        if i < len(hostile):
            put_hostile(root / f"{name} {hostile[i][0]}", *hostile[i], draw)
            continue
        shape = shapes[i % len(shapes)]
        files = shared if shape == "copied" else half_way(draw)
        if shape == "nested":
            put(folder / "my work" / "attention-course-main", files)
        elif shape == "flat":
            put(folder, {path.rsplit("/", 1)[1]: text for path, text in files.items()})
        elif shape == "zip":
            zip_of(root / f"{name}.zip", files)
        elif shape == "moodle":
            (root / f"{name}_{1000 + i}_assignsubmission_file_").mkdir()
            zip_of(root / f"{name}_{1000 + i}_assignsubmission_file_" / "course.zip", files)
        else:
            put(folder, {k: t.replace("\n", "\r\n") for k, t in files.items()} if shape == "crlf" else files)
        if shape in ("late", "future"):
            moment = 1_795_000_000 if shape == "late" else 4_000_000_000
            for path in folder.rglob("*.cpp"):
                os.utime(path, (moment, moment))
        if shape == "tar":
            tar_of(root / f"{name}.tar.gz", folder, "lessons-of-mine")
    link_and_pipe(root / "links and pipes")
    put(root / "=cmd()|' <script>alert(1) & \"q\"", half_way(draw))
    put(root / "two\nlines", half_way(draw))
    put(root / "essay", {"essay.txt": "about attention"})
    (root / "nothing").mkdir()
    (root / "a file.txt").write_text("no hand-in")
    zip_of(root / "up.zip", {"../../../../tmp/course_was_here/1_project.cpp": "x", "/tmp/2_compute_qkv.cpp": "x"})
    zip_of(root / "bomb.zip", {f"{i}/1_project.cpp": "0" * (64 << 20) for i in range(8)})
    zip_of(root / "cut.zip", solved(draw))
    whole = (root / "cut.zip").read_bytes()
    (root / "cut.zip").write_bytes(whole[:len(whole) // 2])
    (root / "flipped.zip").write_bytes(bytes(b ^ 0x20 if i % 997 == 500 else b for i, b in enumerate(whole)))
    (root / "empty.zip").write_bytes(b"")


def main(words):
    if len(words) not in (2, 3) or words[1] not in ("different", "typical", "rough"):
        sys.exit(__doc__)
    root = pathlib.Path(words[0])
    count = int(words[2]) if len(words) == 3 else 60 if words[1] == "rough" else 30
    root.mkdir(parents=True)
    draw = random.Random(f"{words[1]} {count}")
    if words[1] == "rough":
        make_rough(root, count, draw)
        return
    for i in range(count):
        put(root / f"student{i:02d}", (solved if words[1] == "different" else half_way)(draw))


if __name__ == "__main__":
    main(sys.argv[1:])
