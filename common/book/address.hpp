#pragma once

#include <string>

namespace book {

/// Who may use the server: only pages of its own, with the token that was printed.
class Address {
public:
    /// token: 128 random bits in hexadecimal digits.
    Address(int port, std::string token);

    /// The parts of a request that matter here; "" for a missing header.
    struct Asked {
        std::string host;
        std::string origin;
        std::string cookie;
        std::string token; // from the address itself
    };
    /// Why the request is refused, in a sentence; "" if it is not. A token in the address counts as
    /// one in the cookie.
    std::string refusal(const Asked& asked) const;

    int port() const { return port_; }
    const std::string& token() const { return token_; }

    /// What makes a browser keep the token.
    std::string cookie() const;
    /// What is printed, and opened: http://127.0.0.1:PORT/PATH?token=…#FRAGMENT
    std::string url(const std::string& path, const std::string& fragment = "") const;

private:
    /// Cookies do not know of ports: each session's has a name of its own.
    std::string cookie_name() const;

    int port_;
    std::string token_;
};

/// From the system's generator of secrets.
std::string random_token();

} // namespace book
