#include "book/server.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>

#include "course/files.hpp"

namespace book {

using httplib::Request;
using httplib::Response;
using nlohmann::json;

namespace {

constexpr std::size_t longest_body = std::size_t{8} << 20; // bytes
constexpr std::size_t most_threads = 256;                  // each serves one request at a time
constexpr std::chrono::seconds between_pings{15};
constexpr std::chrono::seconds between_looks{1}; // at whether the page is still there

/// Unchanged: httplib would compress it, which takes longer than sending it to the same machine.
void send(Response& response, int status, std::string body, const std::string& type) {
    response.status = status;
    const auto text = std::make_shared<const std::string>(std::move(body));
    response.set_content_provider(
        text->size(), type,
        [text](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            return sink.write(text->data() + offset, length);
        });
}

void send_json(Response& response, int status, const json& value) {
    response.set_header("Cache-Control", "no-store");
    send(response, status, value.dump(-1, ' ', false, json::error_handler_t::replace),
         "application/json");
}

void send_text(Response& response, int status, const std::string& words) {
    send(response, status, words + "\n", "text/plain; charset=utf-8");
}

void send_not_found(Response& response) {
    send_text(response, 404, "There is no such page; the list of lessons is at /.");
}

} // namespace

struct Server::Implementation {
    explicit Implementation(const Parts& with) : parts(with) {}

    Parts parts;
    httplib::Server http;
    std::optional<Address> address;
    std::atomic<bool> stopping = false;
    std::thread thread;

    void prepare();
    bool admit(const Request& request, Response& response) const;
    void send_page_or_file(const Request& request, Response& response) const;
    void send_events(Response& response);
};

/// Handles requests without permission, and those with a token in the address.
bool Server::Implementation::admit(const Request& request, Response& response) const {
    const std::string token = request.get_param_value("token");
    const std::string refusal =
        address->refusal({request.get_header_value("Host"), request.get_header_value("Origin"),
                          request.get_header_value("Cookie"), token});
    if (!refusal.empty()) {
        send_text(response, 403, refusal);
        return false;
    }
    if (request.has_param("token")) {
        response.set_header("Set-Cookie", address->cookie());
        const bool known = parts.site.pages().contains(request.path.substr(1));
        response.set_redirect(known ? request.path : "/", 303);
        return false;
    }
    if (request.method == "POST" && !request.has_header("Content-Length")) {
        send_text(response, 411, "A POST must say its Content-Length."); // to which a limit applies
        return false;
    }
    return true;
}

void Server::Implementation::send_page_or_file(const Request& request, Response& response) const {
    const std::string path = request.path.substr(1);
    if (parts.site.pages().contains(path)) {
        if (const std::string& lesson = parts.site.pages().at(path).lesson; !lesson.empty()) {
            parts.grading.open(lesson);
        }
        response.set_header("Cache-Control", "no-store");
        send(response, 200, parts.site.html(path, parts.board.state()), "text/html; charset=utf-8");
        return;
    }
    if (parts.site.pages().contains(path + "/")) {
        response.set_redirect("/" + path + "/", 303);
        return;
    }
    const auto file = parts.site.file(path);
    auto body = file ? course::read_file(file->path) : std::nullopt;
    if (!body) {
        send_not_found(response);
        return;
    }
    response.set_header("Cache-Control", path.starts_with("katex/") ? "max-age=86400" : "no-cache");
    send(response, 200, std::move(*body), file->type);
}

/// Keeps the connection and its thread until the page is closed.
void Server::Implementation::send_events(Response& response) {
    auto last = std::make_shared<std::uint64_t>(parts.board.latest());
    auto pinged = std::make_shared<std::chrono::steady_clock::time_point>();
    response.set_header("Cache-Control", "no-store");
    response.set_chunked_content_provider(
        "text/event-stream", [this, last, pinged](std::size_t /*offset*/, httplib::DataSink& sink) {
            const bool first = *pinged == std::chrono::steady_clock::time_point();
            std::string text;
            for (const Event& event :
                 parts.board.after(*last, first ? std::chrono::seconds(0) : between_looks)) {
                text += "event: " + event.name + "\ndata: " + event.data + "\n\n";
                *last = event.number;
            }
            const auto now = std::chrono::steady_clock::now();
            if (first ||
                now - *pinged >= between_pings) { // the first tells the page that we listen
                text += "event: ping\ndata: {}\n\n";
                *pinged = now;
            }
            if (stopping || !sink.is_writable()) {
                return false;
            }
            return text.empty() || sink.write(text.data(), text.size());
        });
}

void Server::Implementation::prepare() {
    http.new_task_queue = [] { return new httplib::ThreadPool(most_threads); };
    http.set_payload_max_length(longest_body);
    // A connection that is kept holds a thread, too; on one machine a new one costs nothing.
    http.set_keep_alive_max_count(1);
    http.set_keep_alive_timeout(2);
    http.set_read_timeout(5);
    http.set_write_timeout(5);
    http.set_tcp_nodelay(true);
    // Not httplib's own SO_REUSEPORT, with which a port in use could be opened again.
    http.set_socket_options([](socket_t socket) {
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    http.set_default_headers(
        {{"Content-Security-Policy", "default-src 'self'; style-src 'self' 'unsafe-inline'; "
                                     "img-src 'self' data:; frame-ancestors 'none'"},
         {"X-Content-Type-Options", "nosniff"},
         {"Referrer-Policy", "no-referrer"}});
    http.set_pre_routing_handler([this](const Request& request, Response& response) {
        return admit(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                        : httplib::Server::HandlerResponse::Handled;
    });
    http.Get("/api/state", [this](const Request&, Response& response) {
        send_json(response, 200, parts.board.state());
    });
    http.Get("/api/solution", [this](const Request& request, Response& response) {
        send_json(response, 200, parts.board.solution(request.get_param_value("exercise")));
    });
    http.Get("/api/events", [this](const Request&, Response& response) { send_events(response); });
    http.Post("/api/call", [this](const Request& request, Response& response) {
        try {
            send(response, 200, parts.calls.answer(request.body), "application/json");
        } catch (const course::BadUse& bad) {
            send_json(response, 400,
                      {{"ok", false}, {"state", "bad_request"}, {"words", bad.what()}});
        }
    });
    http.Get(".*", [this](const Request& request, Response& response) {
        send_page_or_file(request, response);
    });
    http.set_error_handler([](const Request&, Response& response) {
        if (response.status == 413) {
            send_text(response, 413, "A POST must not be longer than 8 MiB.");
        } else if (response.status == 404) {
            send_not_found(response);
        }
    });
    http.set_exception_handler([](const Request&, Response& response, std::exception_ptr thrown) {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (const std::exception& error) {
            send_text(response, 500, error.what());
        }
    });
}

Server::Server(const Parts& parts, int port, const std::string& token)
    : implementation_(std::make_unique<Implementation>(parts)) {
    Implementation& server = *implementation_;
    server.prepare();
    const std::string host = "127.0.0.1";
    errno = 0;
    const int bound = port == 0                              ? server.http.bind_to_any_port(host)
                      : server.http.bind_to_port(host, port) ? port
                                                             : -1;
    if (bound <= 0) {
        throw course::BadUse(
            fmt::format("port {} cannot be opened: {}; without --port a free one is chosen", port,
                        std::strerror(errno)));
    }
    server.address.emplace(bound, token);
    server.thread = std::thread([&server] { server.http.listen_after_bind(); });
}

Server::~Server() {
    implementation_->stopping = true;
    implementation_->parts.board.close();
    implementation_->http.stop();
    implementation_->thread.join();
}

const Address& Server::address() const {
    return *implementation_->address;
}

} // namespace book
