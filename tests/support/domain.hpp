#pragma once

// A grader made of an oracle and a domain. The oracle computes the right answer in plain loops. The
// domain says what a contract allows for each argument, and makes the calls: the same kinds of
// arguments for every exercise, in the order in which a failure teaches most. If an answer is
// wrong, the call is made smaller before it is shown (shrink.hpp).

#include <map>
#include <utility>

#include "judge/expect.hpp"
#include "judge/export.hpp"
#include "judge/remote.hpp"
#include "support/shrink.hpp"

namespace domain {

/// What an argument may be.
enum class Kind {
    array,   // any finite numbers
    scores,  // the same, and however far from 0 and from each other: a softmax follows
    weights, // rows of shares: none negative, each row with sum 1
    mask,    // true and false
    count,   // a size: the number of heads, of queries
    number,  // one of `values`
    flag,    // true, false
};

struct Argument {
    std::string name; // "weights.W_q": the member W_q of the struct weights
    Kind kind;
    std::string shape = "";          // "n x heads*d_k", "2*pairs": products; of a count, the size
    bool optional = false;           // missing in every second call
    std::vector<double> values = {}; // of a number: those it is tested with, the usual one first
    bool broadcasts = false;         // no other argument is compared with its shape
};

/// of<Matrix(const Matrix&)>(oracle::softmax_rows): an oracle by its signature.
template <class Signature, class Function>
Oracle of(Function oracle) {
    return [=](const judge::List& arguments) {
        return judge::Unpack<Signature>::call(oracle, arguments);
    };
}

class Domain {
public:
    /// Of an exercise's function. right: the oracle, a function of the same arguments.
    template <class R, class... A, class Right>
    Domain(const judge::Remote<R(A...)>& function, Right right, std::vector<Argument> arguments,
           judge::Tolerance tolerance)
        : Domain(function.name(), function.parameters(), of<R(A...)>(right), std::move(arguments),
                 tolerance) {}

    /// Where the oracle's answer is 0, it is exactly 0: a weight that the mask blocks.
    Domain& with_exact_zeros() { return exact_zeros_ = true, *this; }
    /// {"V", ""}: V may be multiplied by any number. {"Q", "K"}: so may Q if K is divided by it.
    Domain& scaled(std::vector<std::pair<std::string, std::string>> pairs) {
        return scaled_ = std::move(pairs), *this;
    }
    /// {"Q", "K"}: queries and keys. Their scores Q · Kᵀ / √d_k go through a softmax, and may lie
    /// as far from 0 as scores.
    Domain& dot_products(const std::string& queries, const std::string& keys) {
        return dot_products_ = {queries, keys}, *this;
    }
    /// A size that may be large, as the cost grows in proportion to it.
    Domain& large(const std::string& size, std::size_t value) {
        return large_[size] = value, *this;
    }
    /// Small sizes in place of the generator's: more than one tile of keys.
    Domain& small_sizes(const Sizes& sizes) { return small_ = sizes, *this; }
    /// Sizes are never less than this: a variance needs two of something.
    Domain& at_least(const std::string& size, std::size_t value) {
        return least_[size] = value, *this;
    }
    /// Sizes are never more than this: a right way to compute is slow.
    Domain& at_most(const std::string& size, std::size_t value) {
        return most_[size] = value, *this;
    }
    /// Changes arguments into what the contract allows, where kinds and sizes do not say it all.
    Domain& made_to_fit(std::function<void(judge::List&)> fit) {
        return fit_ = std::move(fit), *this;
    }
    /// What rounding may leave of numbers that cancel, from the arguments: of p (g - Σ p g) some
    /// 1e-14 of the largest g. Every element of the answer may be as far off.
    Domain& cancels(std::function<double(const judge::List&)> rounding) {
        return rounding_ = std::move(rounding), *this;
    }
    /// A call takes long, or has many numbers: they are not changed one by one.
    Domain& numbers_together() { return one_by_one_ = false, *this; }
    /// The contract does not say what happens to shapes that do not fit.
    Domain& refuses_nothing() { return refuses_ = false, *this; }
    /// The contract says so of this size alone.
    Domain& refuses_only(const std::string& size) { return refuses_only_ = size, *this; }

    /// Every kind of arguments in turn, each as a check named "id: title".
    void check(const std::string& id) const;
    /// One call of a test case, compared with the oracle. When it fails, the smallest call that
    /// fails in the same way is shown.
    void call(const judge::List& arguments) const { calls({arguments}); }
    /// The same of several, for a test case of their own; it ends there if one is wrong.
    void calls(const std::vector<judge::List>& each) const;
    /// Arguments of these sizes, all others small; drawn by `seed`. If it is odd, the optional ones
    /// are missing.
    judge::List draw(const Sizes& sizes, std::uint64_t seed = 1) const;

private:
    friend class Checks;

    Domain(std::string function, std::string parameters, Oracle oracle,
           std::vector<Argument> arguments, judge::Tolerance tolerance);

    /// A call of a check, which continues for a few calls after the first failure. failed: how many
    /// it has made since then, that one included.
    void one_of_many(const judge::List& arguments, int& failed) const;
    const judge::Value& right_answer(const judge::List& arguments) const;
    Sizes small() const;
    Sizes all(std::size_t size) const;
    Sizes clamped(Sizes sizes) const;
    judge::List fitted(judge::List arguments) const;
    judge::List packed(const judge::List& arguments) const;
    judge::Tolerance tolerance_for(const judge::List& arguments) const;
    Failing failing(const judge::Outcome& outcome, const judge::List& arguments,
                    const judge::Value& expected) const;
    void expect_right(const judge::Value& actual, const judge::Value& expected,
                      judge::Tolerance tolerance) const;

    std::string function_, parameters_, refuses_only_;
    Oracle oracle_;
    std::vector<Argument> arguments_;
    std::vector<Axes> axes_; // of each argument
    std::vector<std::string> sizes_;
    judge::Tolerance tolerance_;
    bool exact_zeros_ = false, refuses_ = true, one_by_one_ = true;
    std::vector<std::pair<std::string, std::string>> scaled_;
    std::pair<std::string, std::string> dot_products_;
    Sizes large_, least_, most_, small_;
    std::function<void(judge::List&)> fit_ = [](judge::List&) {};
    std::function<double(const judge::List&)> rounding_;
    mutable std::map<std::string, judge::Value> known_; // right answers, by encoded arguments
};

} // namespace domain

/// Every kind of arguments that `the_domain` allows: PROPERTIES("03.2 softmax_rows", softmax_rows)
#define PROPERTIES(id, the_domain)                                                                 \
    TEST_CASE(id ": every kind of arguments") {                                                    \
        (the_domain).check(id);                                                                    \
    }
