#include "support/domain.hpp"

#include <algorithm>

#include "support/kinds_of_arguments.hpp"
#include "support/misfits.hpp"

// What every exercise is tested with, in the order in which it teaches most when it fails.

namespace domain {

using judge::Array;
using judge::List;
using judge::Value;

/// Scores of many keys at which a sum of exponentials ends, where one of them does not.
constexpr double sums_far_out[] = {-744.5, -690, 650, 690, 705, 709};

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
        if (has(Kind::mask)) {
            check("masks of every kind", &Checks::every_mask);
        }
        if (domain_.one_by_one_) {
            check("one number unlike the others, at every place", &Checks::places);
            check("arguments that are nearly alike", &Checks::nearly_alike);
        }
        if (!domain_.scaled_.empty()) {
            check("tiny numbers and huge ones", &Checks::scales);
        }
        if (has(Kind::scores)) {
            check("scores far from 0 and from each other", &Checks::far_out);
        }
        if (!domain_.compared_.first.empty()) {
            check("scores far from 0 and from each other", &Checks::compared_far_out);
        }
        if (domain_.refuses_) {
            check("shapes that do not fit throw std::invalid_argument, and it names both",
                  &Checks::misfits);
        }
        if (failed_) {
            throw judge::CaseEnded{};
        }
    }

private:
    const Domain& domain_;
    std::string id_;
    bool failed_ = false;
    std::uint64_t seed_ = 0;

    void check(const std::string& title, void (Checks::*calls)()) {
        judge::session().begin_case(id_ + ": " + title);
        domain_.failed_ = 0;
        try {
            call(domain_.draw(domain_.small(),
                              1)); // so that a wrong formula shows before its overflow
            (this->*calls)();
        } catch (judge::CaseEnded) {
            domain_.failed_ = 1;
        }
        failed_ = failed_ || domain_.failed_ > 0;
        if (failed_ && judge::session().until_failure()) {
            throw judge::CaseEnded{};
        }
    }

    void call(const List& arguments) const { domain_.one_of_many(arguments); }
    List draw(const Sizes& sizes) { return domain_.draw(sizes, ++seed_); }
    bool has(Kind kind) const {
        return std::ranges::any_of(domain_.arguments_,
                                   [&](const Argument& each) { return each.kind == kind; });
    }

    /// act(k): for each argument of this kind that was given.
    template <class Act>
    void each(std::initializer_list<Kind> kinds, const List& arguments, const Act& act) {
        for (std::size_t k = 0; k < arguments.size(); ++k) {
            if (std::ranges::find(kinds, domain_.arguments_[k].kind) != kinds.end() &&
                std::holds_alternative<Array>(arguments[k].data)) {
                act(k);
            }
        }
    }

    void small_sizes() {
        for (std::size_t turn = 0; turn < domain_.sizes_.size() + 2; ++turn) {
            Sizes sizes = domain_.small(), turned; // each name with each of the sizes
            for (std::size_t s = 0; s < domain_.sizes_.size(); ++s) {
                turned[domain_.sizes_[s]] =
                    sizes[domain_.sizes_[(s + turn) % domain_.sizes_.size()]];
            }
            call(draw(turned));
        }
        for (std::size_t k = 0; k < domain_.arguments_.size(); ++k) { // each number, flag and count
            const Argument& argument = domain_.arguments_[k];
            const std::vector<double> values =
                argument.kind == Kind::flag ? std::vector<double>{0, 1} : argument.values;
            for (const double value : values) {
                List arguments = draw(domain_.small());
                arguments[k] = scalar(argument.kind, value);
                call(arguments);
            }
        }
    }

    void sizes_alike() {
        for (const std::size_t size : {1U, 2U, 3U, 4U}) {
            call(draw(domain_.all(size)));
        }
        for (const std::string& one : domain_.sizes_) {
            Sizes single = domain_.small();
            single[one] = 1;
            call(draw(single));
            for (const std::string& other : domain_.sizes_) {
                Sizes alike = domain_.small();
                alike[other] = alike[one];
                call(draw(alike));
            }
        }
    }

    void larger_sizes() {
        for (const std::string& name : domain_.sizes_) {
            const auto most = domain_.most_.find(name);
            const std::size_t end = most == domain_.most_.end() ? 1'000'000 : most->second;
            for (const std::size_t size : {8U, 9U, 16U, 17U, 24U, 33U, 65U}) {
                Sizes sizes = domain_.small();
                sizes[name] = std::min(size, end);
                call(draw(sizes));
                if (size >= end) { // those after it are no larger
                    break;
                }
            }
            std::vector<std::size_t> large{131, 300};
            if (const auto more = domain_.large_.find(name); more != domain_.large_.end()) {
                large.push_back(more->second);
            }
            for (const std::size_t size : large) {
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
        std::vector<Sizes> all{domain_.small(), domain_.all(4), domain_.all(5)};
        all.resize(domain_.one_by_one_ ? all.size() : 1);
        for (const Sizes& sizes : all) {
            List zeros = draw(sizes);
            each({Kind::array, Kind::scores, Kind::weights, Kind::positions}, zeros,
                 [&](std::size_t k) {
                     for (const Make& make : numbers_of(domain_.arguments_[k].kind)) {
                         List arguments = draw(sizes);
                         fill(arguments[k], make, domain_.arguments_[k].kind);
                         call(arguments);
                     }
                 });
            each({Kind::array, Kind::scores}, zeros, [&](std::size_t k) {
                fill(
                    zeros[k], [](auto, auto, double) { return 0.0; }, Kind::array);
            });
            call(zeros);
        }
    }

    /// At first one by one, which distinguishes mistakes that differ in one of them.
    void every_mask() {
        seed_ += seed_ % 2; // so that what is optional is given
        const List usual = domain_.draw(domain_.small(), seed_ += 2);
        each({Kind::mask}, usual, [&](std::size_t k) {
            for (const Value& mask : masks_of(std::get<Array>(usual[k].data).shape)) {
                List arguments = usual;
                arguments[k] = mask;
                call(arguments);
            }
        });
        masks();
    }

    void masks() {
        std::vector<Sizes> all{domain_.small(), domain_.all(1), domain_.all(3), domain_.all(5)};
        each({Kind::mask}, domain_.draw(domain_.small(), 2), [&](std::size_t k) {
            const Axes& axes = domain_.axes_[k];
            const bool square = axes.back() == axes[axes.size() - 2];
            for (std::size_t axis = axes.size() - (square ? 1 : 2); axis < axes.size(); ++axis) {
                all.push_back(domain_.all(square ? 1 : 2)); // more than a byte counts
                all.back()[axes[axis].front()] = 256;
            }
        });
        for (const Sizes& sizes : all) {
            seed_ += seed_ % 2; // so that what is optional is given
            each({Kind::mask}, domain_.draw(sizes, seed_ += 2), [&](std::size_t k) {
                std::vector<support::Shape> shapes = domain_.shapes_of(k, sizes);
                const support::Shape whole = shapes[0];
                if (sizes != domain_.small() && sizes != domain_.all(3)) {
                    shapes.resize(1);
                }
                for (const support::Shape& shape : shapes) {
                    for (const Value& mask : masks_of(shape)) {
                        const std::string& places = std::get<Array>(mask.data).bytes;
                        if (places.size() == 256 * 256 && places.find('\0') != std::string::npos) {
                            continue; // one is enough of what is as large as that
                        }
                        List arguments = domain_.draw(sizes, seed_ += 2);
                        arguments[k] = mask;
                        mask_and_nearly_that(arguments, k, shape == whole && count(mask) < 256);
                    }
                }
            });
        }
    }

    /// Beside zeros, too, and with one place turned.
    void mask_and_nearly_that(const List& arguments, std::size_t k, bool whole) {
        call(arguments);
        each({Kind::array, Kind::scores}, arguments, [&](std::size_t a) {
            List zeros = arguments;
            fill(
                zeros[a], [](auto, auto, double) { return 0.0; }, Kind::array);
            if (whole) {
                call(zeros);
            }
        });
        const Array& mask = std::get<Array>(arguments[k].data);
        for (std::size_t at = 0; mask.shape == support::Shape{3, 3} && at < mask.count(); ++at) {
            List turned = arguments;
            char& place = std::get<Array>(turned[k].data).bytes[at];
            place = place == 0 ? 1 : 0;
            call(turned);
        }
    }

    void places() {
        const List usual = draw(domain_.small());
        each({Kind::array, Kind::scores, Kind::weights}, usual, [&](std::size_t k) {
            for (const double extreme : extremes_of(domain_.arguments_[k].kind)) {
                List arguments = draw(domain_.small());
                const Value before = arguments[k];
                for (std::size_t at = 0; at < count(before); ++at) {
                    arguments[k] = before;
                    set(arguments[k], at, extreme, domain_.arguments_[k].kind);
                    call(arguments);
                }
            }
        });
    }

    void nearly_alike() {
        const List usual = draw(domain_.small());
        each({Kind::array, Kind::scores, Kind::weights}, usual, [&](std::size_t k) {
            for (const Value& nearly :
                 nearly_special(domain_.arguments_[k].kind,
                                std::get<Array>(draw(domain_.all(3))[k].data).shape)) {
                List arguments = draw(domain_.all(3));
                arguments[k] = nearly;
                call(arguments);
            }
            // Equal but for one number, one after the other.
            List large = draw(domain_.all(domain_.sizes_.size() > 4 ? 9 : 19));
            const std::size_t n = count(large[k]);
            for (const std::size_t at : {std::size_t{1}, n / 2 - 1 + n / 2 % 2, n - 3 + n % 2}) {
                if (domain_.arguments_[k].kind != Kind::weights) {
                    List arguments = large;
                    set(arguments[k], at, 0.5, domain_.arguments_[k].kind);
                    call(arguments);
                }
            }
        });
        for (std::size_t a = 0; a < usual.size(); ++a) { // the same numbers in two places
            for (std::size_t b = 0; b < a; ++b) {
                List arguments = draw(domain_.all(4));
                if (std::holds_alternative<Array>(arguments[a].data) &&
                    judge::same_form(arguments[a], arguments[b])) {
                    const bool any = domain_.arguments_[b].kind == Kind::array;
                    arguments[any ? b : a] = arguments[any ? a : b]; // weights stay weights
                    call(arguments);
                }
            }
        }
    }

    void scales() {
        for (const auto& [up, down] : domain_.scaled_) {
            for (const double scale : {1e-100, 1e-30, 1e-12, 1e12, 1e30, 1e100}) {
                List arguments = draw(domain_.small());
                for (std::size_t k = 0; k < arguments.size(); ++k) {
                    const std::string& name = domain_.arguments_[k].name;
                    const double by = name == up ? scale : name == down ? 1 / scale : 1;
                    if (by != 1) {
                        fill(
                            arguments[k], [&](auto, auto, double x) { return by * x; },
                            Kind::array);
                    }
                }
                call(arguments);
            }
        }
    }

    void far_out() {
        each({Kind::scores}, draw(domain_.small()), [&](std::size_t k) {
            for (const Make& make : scores_far_out()) {
                List arguments = draw(domain_.small());
                fill(arguments[k], make, Kind::scores);
                call(arguments);
            }
            const auto& columns = domain_.axes_[k].back();
            for (const double base : sums_far_out) {
                Sizes sizes = domain_.small();
                sizes[columns.front()] = 300;
                List arguments = draw(sizes);
                fill(
                    arguments[k], [=](auto i, auto, double) { return i % 2 == 0 ? base : 0.0; },
                    Kind::scores);
                call(arguments);
            }
            for (const std::size_t n : {5U, 9U, 11U, 13U, 17U, 19U, 33U, 41U}) {
                for (const Make& make : last_or_first_far_above(n)) {
                    Sizes sizes = domain_.small();
                    sizes[columns.front()] = n;
                    List arguments = draw(sizes);
                    fill(arguments[k], make, Kind::scores);
                    call(arguments);
                }
            }
        });
    }

    /// The same scores, of queries and keys, in each head. Each key has one component, and √d_k is
    /// 8: nothing is rounded.
    void compared_far_out() {
        const std::size_t queries = index_of(domain_.compared_.first);
        const std::size_t keys = index_of(domain_.compared_.second);
        const auto ask = [&](Sizes sizes, const Make& make) {
            constexpr std::size_t d_k = 64;
            sizes[domain_.axes_[queries].back().back()] = d_k;
            List arguments = draw(sizes);
            const auto& shape = std::get<Array>(arguments[keys].data).shape;
            const std::size_t n_keys = shape[shape.size() - 2];
            fill(
                arguments[queries],
                [&](auto i, auto j, double x) {
                    const double score = std::clamp(make(i, j % d_k, x), -1e100, 1e100);
                    return j % d_k < n_keys ? 8 * score : 0.0;
                },
                Kind::array);
            fill(
                arguments[keys],
                [&](auto i, auto j, double) { return i % n_keys % d_k == j % d_k ? 1.0 : 0.0; },
                Kind::array);
            call(arguments);
        };
        const Axes& axes = domain_.axes_[keys];
        const std::string& of_keys = axes[axes.size() - 2].front();
        Sizes small = domain_.small();
        small[of_keys] = std::max<std::size_t>(small[of_keys], 5);
        for (const Make& make : scores_far_out()) {
            ask(small, make);
        }
        for (const double d : {1e-5, 1e-7, 4e-10}) { // nearly equal
            ask(small, [=](auto i, auto j, double) { return d * double((i + 2 * j) % 3); });
        }
        for (const double base : sums_far_out) {
            Sizes sizes = domain_.small();
            sizes[of_keys] = 300;
            ask(sizes, [=](auto i, auto, double) { return i % 2 == 0 ? base : 0.0; });
        }
        for (const std::size_t n : {5U, 9U, 11U, 13U, 17U, 19U, 33U, 41U}) {
            for (const Make& make : last_or_first_far_above(n)) {
                Sizes sizes = domain_.small();
                sizes[of_keys] = n;
                ask(sizes, make);
            }
        }
    }

    std::size_t index_of(const std::string& argument) const {
        const auto found = std::ranges::find(domain_.arguments_, argument, &Argument::name);
        return static_cast<std::size_t>(found - domain_.arguments_.begin());
    }

    /// An axis that shares its size with another is changed on its own; of a product the last
    /// factor, so that heads still divide their columns.
    void misfits() {
        seed_ += seed_ % 2;
        const Sizes sizes = domain_.small();
        List usual = domain_.draw(sizes, seed_ += 2); // with what is optional
        for (std::size_t k = 0; k < usual.size(); ++k) {
            if (domain_.arguments_[k].broadcast) {
                usual[k] = Value{}; // it is compared with a shape that is no argument's
            }
        }
        for (std::size_t k = 0; k < usual.size(); ++k) {
            if (domain_.arguments_[k].broadcast) {
                broadcast_misfits(usual, k);
            }
            const Array* array = std::get_if<Array>(&usual[k].data);
            for (std::size_t axis = 0; array != nullptr && axis < array->shape.size(); ++axis) {
                const std::vector<support::Shape> others = sharing(usual, k, axis);
                const auto& factors = domain_.axes_[k][axis];
                const std::size_t last = shape_of({{factors.back()}}, sizes)[0];
                for (const std::size_t size : other_sizes(last)) {
                    support::Shape shape = array->shape;
                    shape[axis] = array->shape[axis] / last * size;
                    const std::string& only = domain_.refuses_only_;
                    if (!others.empty() && (only.empty() || factors == std::vector{only})) {
                        misfit(usual, k, shape, others);
                    }
                }
            }
        }
    }

    static std::vector<std::size_t> other_sizes(std::size_t size) {
        std::vector<std::size_t> others{size + 1, size - 1, 1, 12'345};
        std::erase_if(others, [&](std::size_t other) { return other == 0 || other == size; });
        return others;
    }

    void misfit(List arguments, std::size_t k, const support::Shape& shape,
                const std::vector<support::Shape>& others) const {
        arguments[k] = domain::usual(domain_.arguments_[k].kind, shape, {}, 7);
        support::expect_misfit(judge::session().attempt(domain_.function_, domain_.parameters_,
                                                        domain_.packed(arguments)),
                               shape, others);
    }

    /// What cannot be stretched to the whole shape, or has too many axes or too few.
    void broadcast_misfits(const List& arguments, std::size_t k) const {
        const std::vector<support::Shape> shapes = domain_.shapes_of(k, domain_.small());
        for (support::Shape shape : shapes) {
            for (std::size_t axis = 0; axis < shape.size(); ++axis) {
                for (const std::size_t size : other_sizes(shape[axis])) {
                    support::Shape other = shape;
                    other[axis] = size;
                    if (std::ranges::find(shapes, other) == shapes.end()) {
                        misfit(arguments, k, other, {shapes[0]});
                    }
                }
            }
        }
        support::Shape more = shapes[0];
        more.insert(more.begin(), 1);
        misfit(arguments, k, more, {shapes[0]});
        misfit(arguments, k, {more.back()}, {shapes[0]});
    }

    /// The shapes of the other arguments that have the same size at an axis, and of this one where
    /// two of its axes are to be alike.
    std::vector<support::Shape> sharing(const List& arguments, std::size_t k,
                                        std::size_t axis) const {
        std::vector<support::Shape> shapes;
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
