#include "book/address.hpp"

#include <algorithm>
#include <optional>
#include <random>

#include <fmt/format.h>

namespace book {

namespace {

/// The value of the cookie of this name: cookies come as "a=1; b=2".
std::string value_in(const std::string& cookies, const std::string& wanted) {
    std::size_t begin = 0;
    while (begin < cookies.size()) {
        begin = std::min(cookies.find_first_not_of("; ", begin), cookies.size());
        const std::size_t end = std::min(cookies.find(';', begin), cookies.size());
        if (cookies.compare(begin, wanted.size() + 1, wanted + "=") == 0) {
            return cookies.substr(begin + wanted.size() + 1, end - begin - wanted.size() - 1);
        }
        begin = end;
    }
    return "";
}

/// The port in a Host that names this machine, as "localhost:8765" does: of a tunnel any, and "" in
/// "localhost", where it is the browser's default. Nothing if it names another machine.
std::optional<std::string> local_port(const std::string& host) {
    const std::size_t colon = std::min(host.find(':'), host.size());
    const std::string name = host.substr(0, colon), port = host.substr(colon);
    const bool is_port = port != ":" && port.find_first_not_of("0123456789", 1) == port.npos;
    return is_port && (name == "127.0.0.1" || name == "localhost") ? std::optional(port)
                                                                   : std::nullopt;
}

} // namespace

Address::Address(int port, std::string token) : port_(port), token_(std::move(token)) {}

std::string Address::refusal(const Asked& asked) const {
    // A tunnel or a proxy, as that of Codespaces, may have another port, and https.
    const auto port = local_port(asked.host);
    if (!port) {
        return "This server answers at its own address only, the one that ./course book printed.";
    }
    const std::size_t scheme = asked.origin.starts_with("https://") ? 8 : 7;
    if (!asked.origin.empty() && ((scheme == 7 && !asked.origin.starts_with("http://")) ||
                                  local_port(asked.origin.substr(scheme)) != port)) {
        return "This server answers its own pages only, not those of another site.";
    }
    const std::string given =
        asked.token.empty() ? value_in(asked.cookie, cookie_name()) : asked.token;
    if (given != token_) {
        return "Open the address that ./course book printed: it holds the token of this session.";
    }
    return "";
}

std::string Address::cookie_name() const {
    return fmt::format("course_token_{}", port_);
}

std::string Address::cookie() const {
    return fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie_name(), token_);
}

std::string Address::url(const std::string& path, const std::string& fragment) const {
    return fmt::format("http://127.0.0.1:{}/{}?token={}{}{}", port_, path, token_,
                       fragment.empty() ? "" : "#", fragment);
}

std::string random_token() {
    std::random_device source;
    std::string token;
    for (int i = 0; i < 4; ++i) {
        token += fmt::format("{:08x}", source());
    }
    return token;
}

} // namespace book
