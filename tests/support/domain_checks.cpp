#include "support/domain.hpp"

#include <algorithm>

#include "support/kinds_of_arguments.hpp"
#include "support/misfits.hpp"

// The calls for every exercise, in the order in which a failure teaches most.

namespace domain {

using judge::Array;
using judge::List;
using judge::Value;
using support::Shape;

/// The checks, each with a title that a learner reads.
class Checks {
public:
    Checks(const Domain& of, std::string id) : domain_(of), id_(std::move(id)) {}

    void all() {
        check("small sizes, all of them different", &Checks::small_sizes);
        check("sizes of 1, and sizes that are alike", &Checks::sizes_alike);
        check("sizes that go past 8, 16, 64 and 128", &Checks::larger_sizes);
        check("numbers of every kind: 0, equal, negative, one row again and again",
              &Checks::numbers);
        check("masks of every kind", &Checks::masks, has(Kind::mask));
        check("one number unlike the others, at every place", &Checks::places, domain_.one_by_one_);
        check("tiny numbers and huge ones", &Checks::scales, !domain_.scaled_.empty());
        check("scores far from 0 and from each other", &Checks::far_out,
              has(Kind::scores) || !domain_.dot_products_.first.empty());
        check("shapes that do not fit throw std::invalid_argument, and it names both",
              &Checks::misfits, domain_.refuses_);
        if (failed_) {
            throw judge::CaseEnded{};
        }
    }

private:
    const Domain& domain_;
    std::string id_;
    bool failed_ = false;
    int failed_calls_ = 0; // of this check
    std::uint64_t seed_ = 0;

    void check(const std::string& title, void (Checks::*calls)(), bool applies = true) {
        if (!applies) {
            return;
        }
        judge::session().begin_case(id_ + ": " + title);
        failed_calls_ = 0;
        try {
            call(domain_.draw(small(), 1)); // so that a wrong formula shows before its overflow
            (this->*calls)();
        } catch (judge::CaseEnded) {
            failed_calls_ = 1;
        }
        failed_ = failed_ || failed_calls_ > 0;
        if (failed_ && judge::session().until_failure()) {
            throw judge::CaseEnded{};
        }
    }

    void call(const List& arguments) { domain_.one_of_many(arguments, failed_calls_); }
    List draw(const Sizes& sizes) { return domain_.draw(sizes, ++seed_); }
    List draw_with_optional(const Sizes& sizes) {
        seed_ += 2 - seed_ % 2; // the next even number
        return domain_.draw(sizes, seed_);
    }
    Sizes small() const { return domain_.small(); }
    Sizes small_but(const std::string& name, std::size_t size) const {
        Sizes sizes = small();
        sizes[name] = size;
        return sizes;
    }
    Kind kind(std::size_t k) const { return domain_.arguments_[k].kind; }
    bool has(Kind kind) const {
        return std::ranges::find(domain_.arguments_, kind, &Argument::kind) !=
               domain_.arguments_.end();
    }
    std::size_t index_of(const std::string& argument) const {
        const auto found = std::ranges::find(domain_.arguments_, argument, &Argument::name);
        return static_cast<std::size_t>(found - domain_.arguments_.begin());
    }

    /// act(k): for each argument of these kinds.
    template <class Act>
    void each(std::initializer_list<Kind> kinds, const Act& act) {
        for (std::size_t k = 0; k < domain_.arguments_.size(); ++k) {
            if (std::ranges::find(kinds, kind(k)) != kinds.end()) {
                act(k);
            }
        }
    }

    /// Arguments of these sizes, one of them made of these numbers.
    void call_with(const Sizes& sizes, std::size_t k, const Make& make) {
        List arguments = draw(sizes);
        fill(arguments[k], make, kind(k));
        call(arguments);
    }

    void small_sizes() {
        const std::vector<std::string>& names = domain_.sizes_;
        // Each name with each of the sizes, and two of these again: with other numbers, and once
        // with and once without what is optional.
        for (std::size_t turn = 0; turn < names.size() + 2; ++turn) {
            Sizes sizes = small(), turned;
            for (std::size_t s = 0; s < names.size(); ++s) {
                turned[names[s]] = sizes[names[(s + turn) % names.size()]];
            }
            call(draw(turned));
        }
        for (std::size_t k = 0; k < domain_.arguments_.size(); ++k) { // each number, flag and count
            for (const double value : domain_.arguments_[k].values) {
                List arguments = draw(small());
                arguments[k] = scalar(kind(k), value);
                call(arguments);
            }
        }
    }

    void sizes_alike() {
        for (const std::size_t size : {1U, 2U, 3U, 4U}) {
            call(draw(domain_.all(size)));
        }
        for (const std::string& one : domain_.sizes_) {
            call(draw(small_but(one, 1)));
            for (const std::string& other : domain_.sizes_) {
                call(draw(small_but(other, small().at(one))));
            }
        }
    }

    void larger_sizes() {
        for (const std::string& name : domain_.sizes_) {
            for (const std::size_t size : {8U, 9U, 16U, 17U, 24U, 33U, 65U}) {
                call(draw(small_but(name, size)));
                if (domain_.clamped({{name, size}}).at(name) < size) {
                    break; // those after it are no larger
                }
            }
            std::vector<std::size_t> large{131, 300};
            if (domain_.large_.contains(name)) {
                large.push_back(domain_.large_.at(name));
            }
            for (const std::size_t size : large) { // beside sizes of 1 to 3
                Sizes sizes;
                for (std::size_t s = 0; s < domain_.sizes_.size(); ++s) {
                    sizes[domain_.sizes_[s]] = 1 + (s + seed_) % 3;
                }
                sizes[name] = size;
                call(draw(sizes));
            }
        }
    }

    void numbers() {
        std::vector<Sizes> all{small(), domain_.all(4), domain_.all(5)};
        all.resize(domain_.one_by_one_ ? all.size() : 1);
        for (const Sizes& sizes : all) {
            each({Kind::array, Kind::scores, Kind::weights}, [&](std::size_t k) {
                for (const Make& make : numbers_of(kind(k))) {
                    call_with(sizes, k, make);
                }
            });
        }
    }

    /// The masks alone change, which distinguishes mistakes that differ in one of them.
    void masks() {
        std::vector<Sizes> all{small(), domain_.all(1), domain_.all(3), domain_.all(5)};
        each({Kind::mask}, [&](std::size_t k) {
            for (const Sizes& sizes : all) {
                const List usual = draw_with_optional(sizes);
                const Shape shape = std::get<Array>(usual[k].data).shape;
                for (const Value& mask : masks_of(shape)) {
                    List arguments = usual;
                    arguments[k] = mask;
                    call(arguments);
                    std::string& places = std::get<Array>(arguments[k].data).bytes;
                    for (std::size_t at = 0; shape == Shape{3, 3} && at < places.size(); ++at) {
                        places[at] = places[at] == 0 ? 1 : 0; // one place turned
                        call(arguments);
                        places[at] = places[at] == 0 ? 1 : 0;
                    }
                }
            }
        });
    }

    void places() {
        each({Kind::array, Kind::scores, Kind::weights}, [&](std::size_t k) {
            for (const double extreme : extremes_of(kind(k))) {
                List arguments = draw(small());
                const Value before = arguments[k];
                for (std::size_t at = 0; at < count(before); ++at) {
                    arguments[k] = before;
                    set(arguments[k], at, extreme, kind(k));
                    call(arguments);
                }
            }
        });
    }

    void scales() {
        for (const auto& [up, down] : domain_.scaled_) {
            for (const double scale : {1e-100, 1e-12, 1e12, 1e100}) {
                List arguments = draw(small());
                const auto multiply = [&](const std::string& name, double factor) {
                    const auto by = [=](auto, auto, double x) { return factor * x; };
                    fill(arguments[index_of(name)], by, Kind::array);
                };
                multiply(up, scale);
                if (!down.empty()) {
                    multiply(down, 1 / scale);
                }
                call(arguments);
            }
        }
    }

    /// Scores, or queries and keys that have them, in each head. Each key has one component, and
    /// √d_k is 8: nothing is rounded.
    void scored(Sizes sizes, const Make& make) {
        each({Kind::scores}, [&](std::size_t k) { call_with(sizes, k, make); });
        const auto& [queries, keys] = domain_.dot_products_;
        if (queries.empty()) {
            return;
        }
        constexpr std::size_t d_k = 64;
        sizes[domain_.axes_[index_of(queries)].back().back()] = d_k;
        List arguments = draw(sizes);
        const auto& shape = std::get<Array>(arguments[index_of(keys)].data).shape;
        const std::size_t n_keys = shape[shape.size() - 2];
        const auto query = [&](std::size_t i, std::size_t j, double x) {
            return j % d_k < n_keys ? 8 * std::clamp(make(i, j % d_k, x), -1e100, 1e100) : 0.0;
        };
        const auto key = [&](std::size_t i, std::size_t j, double) {
            return i % n_keys % d_k == j % d_k ? 1.0 : 0.0;
        };
        fill(arguments[index_of(queries)], query, Kind::array);
        fill(arguments[index_of(keys)], key, Kind::array);
        call(arguments);
    }

    void far_out() {
        std::string of_keys; // the size
        each({Kind::scores}, [&](std::size_t k) { of_keys = domain_.axes_[k].back().front(); });
        if (of_keys.empty()) {
            const Axes& axes = domain_.axes_[index_of(domain_.dot_products_.second)];
            of_keys = axes[axes.size() - 2].front();
        }
        for (const Make& make : scores_far_out()) {
            scored(small_but(of_keys, std::max<std::size_t>(small().at(of_keys), 5)), make);
        }
    }

    /// An axis that shares its size with another is changed on its own; of a product the last
    /// factor, so that heads still divide their columns.
    void misfits() {
        const Sizes sizes = small();
        List usual = draw_with_optional(sizes);
        domain_.fit_(usual);
        for (std::size_t k = 0; k < usual.size(); ++k) {
            usual[k] = domain_.arguments_[k].broadcasts ? Value{} : usual[k];
        }
        for (std::size_t k = 0; k < usual.size(); ++k) {
            const Array* array = std::get_if<Array>(&usual[k].data);
            for (std::size_t axis = 0; array != nullptr && axis < array->shape.size(); ++axis) {
                const auto& factors = domain_.axes_[k][axis];
                const std::string& only = domain_.refuses_only_;
                const std::vector<Shape> others = sharing(usual, k, axis);
                if (others.empty() || (!only.empty() && factors != std::vector{only})) {
                    continue;
                }
                const std::size_t last = shape_of({{factors.back()}}, sizes)[0];
                for (const std::size_t size : {last + 1, last - 1, std::size_t{1}, 345UL}) {
                    Shape shape = array->shape;
                    shape[axis] = array->shape[axis] / last * size;
                    if (size == 0 || size == last) {
                        continue;
                    }
                    List arguments = usual;
                    arguments[k] = ordinary(kind(k), shape, {}, 7);
                    support::expect_misfit(judge::session().attempt(domain_.function_,
                                                                    domain_.parameters_,
                                                                    domain_.packed(arguments)),
                                           shape, others);
                }
            }
        }
    }

    /// The shapes of the other arguments that have the same size at an axis, and of this one where
    /// two of its axes are to be alike.
    std::vector<Shape> sharing(const List& arguments, std::size_t k, std::size_t axis) const {
        std::vector<Shape> shapes;
        for (std::size_t other = 0; other < arguments.size(); ++other) {
            const Array* array = std::get_if<Array>(&arguments[other].data);
            for (std::size_t a = 0; array != nullptr && a < domain_.axes_[other].size(); ++a) {
                if ((other != k || a != axis) &&
                    domain_.axes_[other][a] == domain_.axes_[k][axis]) {
                    shapes.push_back(array->shape);
                }
            }
        }
        return shapes;
    }
};

void Domain::check(const std::string& id) const {
    Checks(*this, id).all();
}

} // namespace domain
