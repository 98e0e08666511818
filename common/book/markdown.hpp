#pragma once

#include <functional>
#include <string>

namespace book {

/// A page's Markdown as HTML: as GitHub has it, with formulas as <x-equation> and
/// <x-equation type="display">, and with an id on every heading, as GitHub makes them.
std::string html_of(const std::string& markdown);

/// The text of a link's target and the attributes that it gets instead of href or src.
using Rewrite = std::function<std::string(const std::string& target)>;

/// Every href and src of the HTML, each replaced by the attributes that rewrite returns for it.
std::string with_links(const std::string& html, const Rewrite& rewrite);

/// "The idea" → "the-idea": a heading's text as its id, by GitHub's rule.
std::string id_of(const std::string& heading);

} // namespace book
