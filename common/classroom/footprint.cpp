#include "classroom/footprint.hpp"

#include <algorithm>

#include "classroom/names.hpp"
#include "course/files.hpp"

namespace classroom {

const std::string everybody = "everybody";

namespace {

void add_header(const std::string& path, const FindHeader& find, Footprint& footprint,
                std::set<std::string>& types);

void add_headers(const Tokens& tokens, const FindHeader& find, Footprint& footprint,
                 std::set<std::string>& types, bool& known) {
    for (std::size_t i = 0; i + 1 < tokens.all.size(); ++i) {
        if (tokens.all[i] == "#include") {
            const std::string path = find(tokens.all[i + 1]);
            known = known && !path.empty();
            if (!path.empty() && path != everybody) {
                add_header(path, find, footprint, types);
            }
        }
    }
}

void add_header(const std::string& path, const FindHeader& find, Footprint& footprint,
                std::set<std::string>& types) {
    if (!footprint.headers.insert(path).second) {
        return;
    }
    const Tokens tokens = tokens_of(course::read_file(path).value_or("\\"));
    const Declared declared = declared_in(tokens);
    bool known = true;
    add_headers(tokens, find, footprint, types, known);
    if (!declared.plain || !known) {
        footprint.opaque.insert(path);
    }
    for (const Declaration& each : declared.all) {
        if (each.kind == Declaration::Kind::space) {
            footprint.spaces.insert(each.name);
            continue; // what is in it counts
        }
        if (each.kind == Declaration::Kind::type) {
            types.insert(each.name);
        }
        // That a name stands for another may be said twice.
        footprint.given[{each.name, each.space}].insert(each.alias.empty() ? path : each.alias);
    }
}

using Given = decltype(Footprint::given)::value_type;

/// Whether b's headers declare all that this is, too.
bool is_given(const Given& name, const Footprint& b) {
    const auto theirs = b.given.find(name.first);
    return theirs != b.given.end() && std::includes(theirs->second.begin(), theirs->second.end(),
                                                    name.second.begin(), name.second.end());
}

/// Whether b has a type of this name in namespace lesson, and does not reach for the other one.
bool is_hidden(const std::string& name, const std::string& space, const Footprint& b) {
    const auto home = b.given.find({name, "lesson"});
    const bool type = home != b.given.end() && home->second.size() == 1 &&
                      home->second.begin()->starts_with("using " + name + " = ");
    return type && !b.mentions.contains(space) && !b.mentions.contains(space + "::" + name);
}

/// Whether what a's headers give, or a itself declares, would be noticed by b. apart: in a
/// namespace lesson of its own.
bool reaches(const Footprint& a, const Footprint& b, bool apart) {
    const auto unseen = [&](const std::string& header) { return !b.headers.contains(header); };
    const auto noticed = [&](const std::string& name) {
        return b.mentions.contains(name) || b.mentions.contains(name + "::");
    };
    const auto noticed_of_headers = [&](const Given& each) {
        const auto& [name, space] = each.first;
        if (apart && (space == "lesson" || is_hidden(name, space, b))) {
            return false;
        }
        // What is in a namespace is found by who names that, or has values of its types.
        const bool seen =
            space.empty() || space == "lesson" || noticed(space) || b.spaces.contains(space);
        const bool named = name == space ? b.mentions.contains(name) : noticed(name);
        return !is_given(each, b) && ((seen && named) || b.given.contains(each.first));
    };
    return std::any_of(a.opaque.begin(), a.opaque.end(), unseen) ||
           (!apart && std::any_of(a.own.begin(), a.own.end(), noticed)) ||
           std::any_of(a.given.begin(), a.given.end(), noticed_of_headers);
}

/// Whether the whole text sees what it includes: nothing but comments stands before that.
bool includes_first(const Tokens& tokens) {
    bool begun = false;
    for (std::size_t i = 0; i < tokens.all.size(); ++i) {
        if (tokens.all[i] != "#include") {
            begun = true;
        } else if (begun) {
            return false;
        } else {
            ++i; // what it names
        }
    }
    return true;
}

} // namespace

Footprint footprint_of(const std::string& text, const std::vector<std::string>& functions,
                       const FindHeader& find) {
    Footprint footprint;
    if (text.size() > most_text) { // each file is held against each other one
        footprint.plain = false;
        return footprint;
    }
    const Tokens tokens = tokens_of(text);
    const Declared declared = declared_in(tokens);
    std::set<std::string> types;
    footprint.plain = declared.plain && includes_first(tokens);
    footprint.starts = declared.starts;
    add_headers(tokens, find, footprint, types, footprint.plain);
    for (std::size_t i = 0; i < tokens.all.size(); ++i) {
        const std::string& token = tokens.all[i];
        if (is_name(token)) {
            const bool leads_on = i + 1 < tokens.all.size() && tokens.all[i + 1] == "::";
            footprint.mentions.insert(token + (leads_on ? "::" : ""));
            if (leads_on && i + 2 < tokens.all.size()) {
                footprint.mentions.insert(token + "::" + tokens.all[i + 2]);
            }
            // The compiler's own words know where in a file they stand.
            footprint.plain = footprint.plain && !token.starts_with("__") && token != "_Pragma" &&
                              token != "asm" && token != "source_location";
            // Members of a class that are variables, variables of threads, and attributes.
            const std::string& next = i + 1 < tokens.all.size() ? tokens.all[i + 1] : token;
            footprint.starts = footprint.starts || token == "thread_local" ||
                               (token == "static" && next == "inline") ||
                               (token == "inline" && next == "static") || token == "constructor" ||
                               token == "init_priority" || token == "ifunc" || token == "section";
        }
    }
    for (const Declaration& each : declared.all) {
        if (!types.contains(each.name)) { // the type of what it declares
            footprint.own.insert(each.name);
        }
        footprint.at_home = footprint.at_home && each.space == "lesson";
    }
    footprint.own.insert(functions.begin(), functions.end());
    return footprint;
}

bool independent(const Footprint& a, const Footprint& b) {
    return a.plain && b.plain && !reaches(a, b, false) && !reaches(b, a, false);
}

bool independent_apart(const Footprint& a, const Footprint& b) {
    return a.plain && b.plain && a.at_home && b.at_home && !a.starts && !b.starts &&
           !reaches(a, b, true) && !reaches(b, a, true);
}

} // namespace classroom
