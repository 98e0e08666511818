#pragma once

// The types of a function's parameters as a value that travels, so that a caller with only text,
// such as a page in a browser, can make arguments:
//   {"bool"} {"int"} {"size"} {"number"} {"text"}   a scalar
//   {"array", kind, size, rank}                     as in Array; rank −1: any
//   {"list", TYPE}   {"optional", TYPE}   {"struct", {name, TYPE}…}

#include "judge/arrays.hpp"

namespace judge {

template <class T>
struct TypeOf;

template <class T>
Value type_value() {
    return {TypeOf<T>::list()};
}

template <class T>
requires std::is_arithmetic_v<T>
struct TypeOf<T> {
    static List list() {
        const char* const name = std::is_same_v<T, bool>       ? "bool"
                                 : std::is_floating_point_v<T> ? "number"
                                 : std::is_signed_v<T>         ? "int"
                                                               : "size";
        return {{std::string(name)}};
    }
};

template <>
struct TypeOf<std::string> {
    static List list() { return {{std::string("text")}}; }
};

inline List array_type(char kind, std::size_t size, std::int64_t rank) {
    return {{std::string("array")}, {std::string(1, kind)}, {std::uint64_t{size}}, {rank}};
}

template <class T, std::size_t N>
struct TypeOf<xt::xtensor<T, N>> {
    static List list() { return array_type(element_kind<T>(), sizeof(T), std::int64_t{N}); }
};

template <class T>
struct TypeOf<xt::xarray<T>> {
    static List list() { return array_type(element_kind<T>(), sizeof(T), -1); }
};

template <class T>
struct TypeOf<std::vector<T>> {
    static List list() { return {{std::string("list")}, type_value<T>()}; }
};

template <class T>
struct TypeOf<std::optional<T>> {
    static List list() { return {{std::string("optional")}, type_value<T>()}; }
};

template <class T>
requires(Fields<T>::value) struct TypeOf<T> {
    static List list() {
        List members{{std::string("struct")}};
        const std::vector<std::string> names = Fields<T>::names();
        using Members = decltype(Fields<T>::tie(std::declval<T&>()));
        add(members, names, std::type_identity<Members>{});
        return members;
    }

private:
    template <class... M>
    static void add(List& members, const std::vector<std::string>& names,
                    std::type_identity<std::tuple<M...>>) {
        std::size_t index = 0;
        (members.push_back({List{{names[index++]}, type_value<std::decay_t<M>>()}}), ...);
    }
};

} // namespace judge
