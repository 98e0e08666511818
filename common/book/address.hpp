#pragma once

#include <string>

namespace book {

/// Who may speak to the server: whoever has the token that was printed, from a page of its own.
class Address {
public:
    /// token: 128 random bits in hexadecimal digits.
    Address(int port, std::string token);

    /// What was asked, of which only this matters; "" where a header is not there.
    struct Asked {
        std::string host;
        std::string origin;
        std::string cookie;
        std::string token; // from the address itself
    };
    /// Why nothing is answered, in a sentence; "" if it is. A token in the address counts as one in
    /// the cookie.
    std::string refusal(const Asked& asked) const;

    /// What makes a browser keep the token.
    std::string cookie() const;
    /// What is printed, and opened: http://127.0.0.1:PORT/PATH?token=…
    std::string url(const std::string& path) const;

private:
    /// Cookies do not know of ports: each session's has a name of its own.
    std::string cookie_name() const;

    int port_;
    std::string token_;
};

/// From the system's generator of secrets.
std::string random_token();

} // namespace book
