#include <doctest/doctest.h>

#include "book/contract.hpp"
#include "course/files.hpp"
#include "course/lessons.hpp"

TEST_CASE("contract: comment and declaration of one exercise, and of no other") {
    const std::string header = "#pragma once\n\n"
                               "/// 01.1  One.\n///   X (n)\nVector one(const Vector& X);\n\n"
                               "/// 01.2  Two,\n/// in lines.\nMatrix two(const Matrix& X,\n"
                               "           const Matrix& W);\n\n"
                               "/// 01.2  The other half.\ndouble half(double x);\n";
    CHECK(book::contract_of(header, "01.1", {"one"}) ==
          "/// 01.1  One.\n///   X (n)\nVector one(const Vector& X);\n");
    CHECK(book::contract_of(header, "01.2", {"two", "half"}) ==
          "/// 01.2  Two,\n/// in lines.\nMatrix two(const Matrix& X,\n"
          "           const Matrix& W);\n\n/// 01.2  The other half.\ndouble half(double x);\n");
    CHECK(book::contract_of(header, "01.3", {"three"}) == "");
}

TEST_CASE("contract: what is written already is no part of it") {
    const std::string header = "/// Throws unless one(X) is there.\n"
                               "inline void require(const Vector& X) {\n    one(X);\n}\n\n"
                               "/// 01.1  One.\nVector one(const Vector& X);\n";
    CHECK(book::contract_of(header, "01.1", {"one"}) ==
          "/// 01.1  One.\nVector one(const Vector& X);\n");
}

TEST_CASE("contract: a class with empty lines between its members is whole") {
    const std::string header = "/// 11.2  Keeps.\nclass Cache {\npublic:\n    /// 11.2  One.\n"
                               "    void append(int k);\n\n    int attend() const;\n};\n\n"
                               "/// 11.3  Another.\nint sample();\n";
    CHECK(book::contract_of(header, "11.2", {"append", "attend"}) ==
          header.substr(0, header.find("\n/// 11.3")));
}

TEST_CASE("contract: every exercise of every lesson has one, with all its functions") {
    course::Project project{COURSE_ROOT, COURSE_BUILD, COURSE_ROOT "/lessons", ""};
    project.lessons = course::read_lessons(project);
    for (const course::Lesson& lesson : project.lessons) {
        const std::string header = course::read_file(lesson.contract).value();
        for (const course::Exercise& exercise : lesson.exercises) {
            const std::string contract = book::contract_of(header, exercise.id, exercise.functions);
            CAPTURE(exercise.id);
            CAPTURE(contract);
            CHECK(contract.find("/// " + exercise.id) == 0);
            CHECK(contract.find("inline ") == std::string::npos);
            CHECK(contract.ends_with(";\n"));
            for (const std::string& function : exercise.functions) {
                CHECK(contract.find(" " + function + "(") != std::string::npos);
            }
        }
    }
}
