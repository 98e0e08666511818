#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace classroom {

/// What decides whether two exercises can be compiled in one go and still be judged each by itself:
/// what a file leaves behind, and what it would notice.
struct Footprint {
    bool plain = true;              // false: it is to be compiled alone
    bool starts = false;            // something of it may run before anything is called
    std::set<std::string> mentions; // names in its text; std::exp counts as std::, std::exp and exp
    std::set<std::string> own;      // that it declares itself
    bool at_home = true;            // all that it declares is in namespace lesson
    std::set<std::string> headers;  // of the project, which it includes, directly or not
    std::set<std::string> opaque;   // those of them that may declare more than is seen here
    std::set<std::string> spaces;   // namespaces that the headers declare something in
    /// What the headers declare: each name with its namespace, as (name, namespace), and where.
    std::map<std::pair<std::string, std::string>, std::set<std::string>> given;
};

/// Where an #include leads: a header of the project, something that everybody has anyway
/// ("everybody"), or nowhere that is known ("").
///   name   with its quotes or brackets
using FindHeader = std::function<std::string(const std::string& name)>;

extern const std::string everybody;

/// A text that is longer, in bytes, is compiled alone: an exercise has a tenth of that.
constexpr std::size_t most_text = std::size_t{64} << 10;

/// functions: the exercise's own, by the manifest.
Footprint footprint_of(const std::string& text, const std::vector<std::string>& functions,
                       const FindHeader& find);

/// Whether neither could tell that the other is there.
bool independent(const Footprint& a, const Footprint& b);

/// The same where namespace lesson is another namespace for each of the two, which both must
/// declare everything in it. There our solutions stand for what the other file has written: nothing
/// may run by itself that could leave them where the other finds them.
bool independent_apart(const Footprint& a, const Footprint& b);

} // namespace classroom
