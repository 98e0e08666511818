#include "tree.hpp"

#include "course/files.hpp"

namespace fs = std::filesystem;

Tree::Tree() : root(fs::canonical(folder.path())) {
    const fs::path lesson = root / "lessons/03_softmax";
    course::write_file(lesson / "lesson.json",
                       R"({"id": "03", "title": "Softmax", "idea": "weights", "exercises": [
  {"id": "03.1", "title": "softmax", "file": "1_softmax.cpp",
   "functions": ["add", "echo", "throws", "loops", "crashes", "exits", "print"]}],
 "figures": [
  {"id": "bars", "title": "Bars", "file": "figures/bars.js", "after": ["03.1", "start"]},
  {"id": "lines", "title": "Lines", "file": "figures/bars.js"}]})");
    course::write_file(
        lesson / "README.md",
        "# 03 Softmax\n\n[theory](THEORY.md#a) [sheet](../SHEET.md)\n\n![p](p.svg)\n\n"
        "## 03.1 softmax\n\nWrite it.\n");
    course::write_file(lesson / "THEORY.md", "# Theory\n\n[back](README.md)\n");
    course::write_file(lesson / "softmax.hpp", "/// 03.1  One.\nVector softmax(int);\n");
    course::write_file(lesson / "1_softmax.cpp", "int x;\n");
    course::write_file(lesson / "p.svg", "<svg/>");
    course::write_file(lesson / "figures/bars.js", "export const x = 1;\n");
    course::write_file(root / "lessons/SHEET.md", "# Sheet\n");
    course::write_file(root / "secret.svg", "the secret");
    fs::create_symlink(root / "secret.svg", lesson / "out.svg");
    fs::create_directory(root / "build");
    fs::create_symlink(BOOK_CALLER, root / "build/book_caller");
    fs::create_symlink(HOSTILE, root / "build/submission_03_softmax_solutions");
    fs::create_symlink(HOSTILE, root / "build/submission_03.1");
    project = {root, root / "build", root / "lessons", root / "state"};
    project.lessons = course::read_lessons(project);
}
