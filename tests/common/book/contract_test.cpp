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

TEST_CASE("contract: every exercise of every lesson has one, with all its functions") {
    course::Project project{COURSE_ROOT, COURSE_BUILD, COURSE_ROOT "/lessons", ""};
    project.lessons = course::read_lessons(project);
    for (const course::Lesson& lesson : project.lessons) {
        const std::string header = course::read_file(lesson.contract).value();
        for (const course::Exercise& exercise : lesson.exercises) {
            const std::string contract = book::contract_of(header, exercise.id, exercise.functions);
            INFO("id ", exercise.id, ", contract ", contract);
            CHECK(contract.find("/// " + exercise.id) == 0);
            CHECK(contract.find("inline ") == std::string::npos);
            CHECK(contract.ends_with(";\n"));
            for (const std::string& function : exercise.functions) {
                CHECK(contract.find(" " + function + "(") != std::string::npos);
            }
        }
    }
}
