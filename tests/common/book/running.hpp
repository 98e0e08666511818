#pragma once

// A server, and a client that is a bare socket: it can send what no browser would.

#include <chrono>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "book/server.hpp"
#include "process/start.hpp"
#include "tree.hpp"

bool contains(const std::string& text, const std::string& part);

/// A connection; answers are read only on request.
class Connection {
public:
    explicit Connection(int port);
    bool open() const { return socket_.open(); }
    bool send(std::string_view text) const;
    /// All that arrives until the other side closes, or until it contains a text.
    std::string receive(std::chrono::milliseconds patience, const std::string& until = "");

private:
    process::Descriptor socket_;
};

struct Answer {
    int status = 0; // 0: none arrived
    std::string head;
    std::string body;
};

Answer parse(const std::string& text);

/// A server of the small course, in this process; nobody grades.
struct Running {
    Tree tree;
    book::Site site{tree.project, true};
    book::Board board{tree.project};
    book::Grading grading{tree.project, board};
    std::string trouble; // of what could not be built
    book::Calls calls{tree.project, board, [this](const std::string& /*what*/) { return trouble; }};
    book::Server server{{site, board, calls, grading}, 0};
    int port = server.address().port();
    std::string token = server.address().token();

    std::string host() const { return fmt::format("Host: 127.0.0.1:{}\r\n", port); }
    std::string cookie() const {
        return fmt::format("Cookie: course_token_{}={}\r\n", port, token);
    }

    Answer ask(const std::string& request,
               std::chrono::milliseconds patience = std::chrono::seconds(30)) const;
    Answer get(const std::string& path) const;
    Answer post(const std::string& body, const std::string& more = "") const;
    nlohmann::json call(const std::string& function, const nlohmann::json& arguments,
                        const std::string& side = "auto") const;
    Connection listen() const;
};
