// Which mistake explains a submission's answers. `hostile` has them, and poses as each.

#include "judge/names_a_mistake.hpp"

#include "exports.hpp"
#include "hostile_child.hpp"

using namespace judge;
using namespace hostile;
using attention::Matrix;

namespace {

const Matrix square{{1, 2}, {3, 4}};
const Matrix other{{5, 6}, {7, 8}};
const Matrix wide{{1, 2, 3}};
const Matrix square_of_three{{1, 0, 2}, {4, 5, 1}, {7, 3, 6}};

using Arguments = std::vector<std::pair<Matrix, Matrix>>;
using Calls = std::function<void(Session&)>;

/// What is named after a test case with these calls of the submission's variant.
std::optional<Explanation> named_after(const std::string& variant, const Calls& calls) {
    const Traces traces;
    Session session;
    session.open(HOSTILE, variant);
    session.begin_case("09.1 hostile: some of it");
    try {
        calls(session);
    } catch (CaseEnded) {
        CHECK(session.failures().size() == 1);
    }
    session.close();
    return name_mistake(session, HOSTILE);
}

std::string text_of(const std::optional<Explanation>& named) {
    return named ? named->name + ": " + named->text : "";
}

std::string named_for(const std::string& function, const std::string& variant,
                      const Arguments& arguments) {
    return text_of(named_after(variant, [&](Session& session) {
        for (const auto& [X, W] : arguments) {
            session.attempt(function, "X, W", list(X, W));
        }
    }));
}

std::string named(const std::string& variant, const Arguments& arguments) {
    return named_for("product", variant, arguments);
}

} // namespace

TEST_CASE("name_mistake: the one with the same answers, which differ from the reference's") {
    CHECK(named("transposed_weight", {{square, other}}) == "transposed_weight: this is X · Wᵀ.");
    CHECK(named("", {{square, other}}).empty());
}

TEST_CASE("name_mistake: two that explain everything equally are neither") {
    CHECK(named("element_wise", {{square, other}}).empty());
}

TEST_CASE("name_mistake: of two versions of one mistake either names it") {
    CHECK(named("negative", {{square, other}}) == "negative: the sign is wrong.");
    CHECK(named("negative_but_where_large", {{square, 1000 * other}, {square, other}}) ==
          "negative_but_where_large: the sign is wrong.");
}

TEST_CASE("name_mistake: one call that it does not explain rules it out") {
    const Matrix symmetric{{1, 2}, {2, 1}};
    CHECK(named("transposed_weight", {{square, symmetric}}).empty()); // right there, so not shown
    CHECK(named("transposed_weight", {{square, symmetric}, {square, other}}).find("transposed") ==
          0);
}

TEST_CASE("name_mistake: what writes into its argument, whatever it answers") {
    CHECK(text_of(named_after("", [](Session& session) {
              session.call("changes_its_argument", "X, and_throws", list(square, false));
          })).starts_with("changed_argument: it writes into X, the caller's own array"));
}

TEST_CASE("name_mistake: refusals by the reference say nothing about a formula") {
    CHECK(named("accepts_anything", {{square, wide}, {square, other}}).empty());
}

TEST_CASE("name_mistake: of a function that returns nothing, by the exception it throws") {
    CHECK(named_for("check_product", "another_exception", {{square, wide}, {square, other}})
              .find("another_exception") == 0);
    CHECK(named_for("check_product", "", {{square, wide}, {square, other}}).empty());
}

TEST_CASE("name_mistake: by how the program ended") {
    CHECK(named("ends_the_program", {{square, other}}).find("ends_the_program") == 0);
}

TEST_CASE("name_mistake: a check's own suspicion is reported where nothing better is known") {
    const Calls suspected = [](Session& session) {
        session.attempt("product", "X, W", list(square, other));
        session.fail({.summary = "wrong", .suspicion = {"the_usual", "it is the usual."}});
    };
    CHECK(text_of(named_after("", suspected)) == "the_usual: it is the usual.");
    CHECK(text_of(named_after("transposed_weight", suspected)) ==
          "transposed_weight: this is X · Wᵀ.");
}

TEST_CASE("a test case's suspicion applies to its own failures only") {
    const auto suspected = [](bool of_memory, const std::string& next) {
        const Traces traces;
        Session session;
        session.open(HOSTILE, "");
        session.begin_case("09.1 product: suspected");
        session.suspect({"the_usual", "it is the usual."},
                        of_memory ? State::used_too_much_memory : State::wrong);
        if (!next.empty()) {
            session.begin_case(next);
        }
        session.attempt("product", "X, W", list(square, other));
        try {
            session.fail({.summary = "wrong"});
        } catch (CaseEnded) {
            session.close();
        }
        return session.failures().front().suspicion.name;
    };
    CHECK(suspected(false, "") == "the_usual");
    CHECK(suspected(false, "09.1 product: the next").empty());
    CHECK(suspected(true, "").empty()); // no memory was short
}

TEST_CASE("name_mistake: an answer that is known is counted once") {
    const Traces traces;
    Session session;
    session.open(HOSTILE, "transposed_weight");
    session.attempt("product", "X, W", list(square, other));
    session.close();
    KnownAnswers known;
    CHECK(name_mistake(session, HOSTILE, &known));
    const std::size_t bytes = known.bytes;
    CHECK(bytes > 0);
    CHECK(name_mistake(session, HOSTILE, &known));
    CHECK(known.bytes == bytes);
}

TEST_CASE("name_mistake: a program that cannot be called is an error of the grader") {
    const Traces traces;
    const Session session;
    CHECK_THROWS_WITH_AS(name_mistake(session, "no/such/program"),
                         "the program of mistakes cannot start program: No such file or directory",
                         std::runtime_error);
}

namespace {

const std::vector<Matrix> examples{{{2, 3}},         {{1, 2}, {3, 5}},
                                   {{4}, {6}, {7}},  {{5, 3}, {7, 1}, {2, 9}},
                                   {{8, 6}, {3, 1}}, {{5}, {9}}};

/// The mistake named for doubled when its answers to the examples are those of its variant.
std::optional<Explanation> named_doubled(const std::string& variant,
                                         const std::vector<Matrix>& asked = examples) {
    return named_after(variant, [&](Session& session) {
        for (const Matrix& X : asked) {
            session.attempt("doubled", "X", list(X));
            session.set_tolerance({});
        }
        session.fail({.summary = "wrong"});
    });
}

} // namespace

TEST_CASE("name_mistake: one that explains all but an edge case is named, with how much") {
    const auto all = named_doubled("squared");
    REQUIRE(all);
    CHECK(all->text == "this squares.");
    CHECK(all->explained == 6);
    CHECK(all->answers == 6);
    const auto most = named_doubled("squared_but_for_one_row");
    REQUIRE(most);
    CHECK(most->name == "squared");
    CHECK(most->text == "this squares. (This mistake gives 5 of your 6 answers.)");
    CHECK(most->explained == 5);
    CHECK(most->answers == 6);

    // The call that failed is the last, and its answer is shown above.
    std::vector<Matrix> edge_last(examples.rbegin(), examples.rend());
    const auto others = named_doubled("squared_but_for_one_row", edge_last);
    CHECK((!others || others->name != "squared")); // it would not be true of what is shown
}

TEST_CASE("name_mistake: a look of all answers is preferred to a mistake that explains most") {
    const auto named =
        named_doubled("last_row_left_out", {square, other, square, other, square_of_three});
    REQUIRE(named);
    CHECK(named->name == "looks_like_last_row_is_zero");
    CHECK(named->explained == named->answers);
}

TEST_CASE(
    "name_mistake: an answer that is 0 everywhere is no evidence for one that is sometimes 0") {
    const auto named =
        named_doubled("nothing_of_one_row_either",
                      {{{1, 2}}, {{3, 4}}, {{5, 6}}, {{7, 8}}, square, square_of_three});
    CHECK((!named || named->name != "nothing_of_one_row"));
}

TEST_CASE("name_mistake: NaN in an edge case is a mistake beside one, unless it is shown") {
    const auto most = named_doubled("squared_or_nan_in_one_row");
    REQUIRE(most);
    CHECK(most->text == "this squares. (This mistake gives 5 of your 6 answers.)");
    const auto shown = named_doubled("squared_or_nan_where_tall"); // as the last call is
    CHECK((!shown || shown->name != "squared"));
}

TEST_CASE("name_mistake: one that explains half of the answers is not what happened") {
    CHECK_FALSE(named_doubled("squared_half_the_time"));
}

TEST_CASE("name_mistake: an answer that float made is described by its digits") {
    const auto named = named_after("in_float", [](Session& session) {
        for (const double x : {0.1, 0.2, 0.3, 0.7}) {
            const Matrix X{{x, x + 1}, {x + 2, x + 3}};
            session.attempt("doubled", "X", list(X));
            session.set_tolerance(normwise);
        }
        session.fail({.summary = "nearly right"});
    });
    REQUIRE(named);
    CHECK(named->name == "looks_like_a_few_digits");
}

TEST_CASE("name_mistake: a grader recognises a mistake by what all answers show") {
    const auto named_where = [](bool shown, const std::string& variant) {
        return text_of(named_after(variant, [&](Session& session) {
            const auto shown_by = [=](const std::vector<Compared>& answers) {
                CHECK(answers.size() == examples.size());
                CHECK_FALSE(compare(answers.front().expected, to_value(Matrix{{4, 6}})));
                return shown;
            };
            session.set_about("doubled", {.traits = {{"squared", shown_by}}});
            for (const Matrix& X : examples) {
                session.attempt("doubled", "X", list(X));
            }
            session.fail({.summary = "wrong"});
        }));
    };
    CHECK(named_where(true, "squared_half_the_time") == "squared: this squares.");
    CHECK(named_where(false, "squared_half_the_time").empty());
    CHECK(named_where(false, "squared").empty()); // its answers no longer count
    CHECK(named_where(true, "lazy:empty").find("squared") == std::string::npos);
}
