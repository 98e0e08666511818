#include "running.hpp"

#include <array>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using Clock = std::chrono::steady_clock;
using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

Connection::Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect(socket_.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        socket_.close();
    }
}

bool Connection::send(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t put = ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL);
        if (put <= 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
}

std::string Connection::receive(std::chrono::milliseconds patience, const std::string& until) {
    const auto deadline = Clock::now() + patience;
    std::string text;
    std::array<char, 65536> chunk{};
    while (Clock::now() < deadline && (until.empty() || !contains(text, until))) {
        pollfd come{socket_.number(), POLLIN, 0};
        if (poll(&come, 1, 50) > 0) {
            const ssize_t got = read(socket_.number(), chunk.data(), chunk.size());
            if (got <= 0) {
                break;
            }
            text.append(chunk.data(), static_cast<std::size_t>(got));
        }
    }
    return text;
}

Answer parse(const std::string& text) {
    const std::size_t end = text.find("\r\n\r\n");
    if (!text.starts_with("HTTP/1.1 ") || end == std::string::npos) {
        return {0, text, ""};
    }
    return {std::stoi(text.substr(9, 3)), text.substr(0, end + 2), text.substr(end + 4)};
}

Answer Running::ask(const std::string& request, std::chrono::milliseconds patience) const {
    Connection connection(port);
    connection.send(request);
    return parse(connection.receive(patience));
}

Answer Running::get(const std::string& path) const {
    return ask("GET " + path + " HTTP/1.1\r\n" + host() + cookie() + "\r\n");
}

Answer Running::post(const std::string& body, const std::string& more) const {
    return ask(
        "POST /api/call HTTP/1.1\r\n" + host() + cookie() + more +
        fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", body.size()) +
        body);
}

json Running::call(const std::string& function, const json& arguments,
                   const std::string& side) const {
    const json question{{"lesson", "03_softmax"},
                        {"function", function},
                        {"arguments", arguments},
                        {"side", side},
                        {"slot", "a"}};
    return json::parse(post(question.dump()).body);
}

Connection Running::listen() const {
    Connection connection(port);
    connection.send("GET /api/events HTTP/1.1\r\n" + host() + cookie() + "\r\n");
    return connection;
}
