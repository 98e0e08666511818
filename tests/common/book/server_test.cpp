// The server held to its promises: who gets in, what can be reached, and what a flood or a function
// that never returns leaves of it. The client is a bare socket: it can say what no browser would.

#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "book/server.hpp"
#include "process/run.hpp"
#include "process/start.hpp"
#include "tree.hpp"

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A connection; what is sent is not answered unless it is asked for.
class Connection {
public:
    explicit Connection(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(socket_.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
            socket_.close();
        }
    }
    bool open() const { return socket_.open(); }
    bool send(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t put = ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL);
            if (put <= 0) {
                return false;
            }
            text.remove_prefix(static_cast<std::size_t>(put));
        }
        return true;
    }
    /// All that comes until the other side closes, or until it holds a text.
    std::string receive(std::chrono::milliseconds patience, const std::string& until = "") {
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

private:
    process::Descriptor socket_;
};

struct Answer {
    int status = 0; // 0: none came
    std::string head;
    std::string body;
};

Answer parse(const std::string& text) {
    const std::size_t end = text.find("\r\n\r\n");
    if (!text.starts_with("HTTP/1.1 ") || end == std::string::npos) {
        return {0, text, ""};
    }
    return {std::stoi(text.substr(9, 3)), text.substr(0, end + 2), text.substr(end + 4)};
}

/// A server of the small course, in this process; nobody grades.
struct Running {
    Tree tree;
    book::Site site{tree.project, true};
    book::Board board{tree.project};
    book::Grading grading{tree.project, board};
    book::Calls calls{tree.project, board, [](const std::string&) {}};
    book::Translations translations{tree.root / "build/book_translator", tree.root / "out", [] {}};
    book::Server server{{site, board, calls, grading, translations}, 0};
    std::string url = server.address().url("");
    int port = std::stoi(url.substr(std::string("http://127.0.0.1:").size()));
    std::string token = url.substr(url.find('=') + 1);

    std::string host() const { return fmt::format("Host: 127.0.0.1:{}\r\n", port); }
    std::string cookie() const {
        return fmt::format("Cookie: course_token_{}={}\r\n", port, token);
    }

    Answer ask(const std::string& request, std::chrono::milliseconds patience = 4s) const {
        Connection connection(port);
        connection.send(request);
        return parse(connection.receive(patience));
    }
    Answer get(const std::string& path) const {
        return ask("GET " + path + " HTTP/1.1\r\n" + host() + cookie() + "\r\n");
    }
    Answer post(const std::string& body, const std::string& more = "") const {
        return ask("POST /api/call HTTP/1.1\r\n" + host() + cookie() + more +
                   fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                               body.size()) +
                   body);
    }
    json call(const std::string& function, const json& arguments,
              const std::string& side = "auto") const {
        const json question{{"lesson", "03_softmax"}, {"figure", "bars"}, {"function", function},
                            {"arguments", arguments}, {"side", side},     {"slot", "a"}};
        return json::parse(post(question.dump()).body);
    }
    Connection listen() const {
        Connection connection(port);
        connection.send("GET /api/events HTTP/1.1\r\n" + host() + cookie() + "\r\n");
        return connection;
    }
};

} // namespace

TEST_CASE(
    "server: the printed address opens a session, and its pages load nothing from elsewhere") {
    const Running running;
    const Answer first = running.ask("GET /lessons/03_softmax/?token=" + running.token +
                                     " HTTP/1.1\r\n" + running.host() + "\r\n");
    CHECK(first.status == 303);
    CHECK(contains(first.head, "Location: /lessons/03_softmax/\r\n"));
    CHECK(contains(first.head, "Set-Cookie: " + running.server.address().cookie() + "\r\n"));
    const Answer page = running.get("/lessons/03_softmax/");
    CHECK(page.status == 200);
    CHECK(contains(page.body, "<section class=\"exercise\" data-exercise=\"03.1\""));
    CHECK(contains(page.head, "Content-Security-Policy: default-src 'self'; style-src 'self' "
                              "'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'\r\n"));
    CHECK(contains(page.head, "X-Content-Type-Options: nosniff\r\n"));
    CHECK(contains(page.head, "Referrer-Policy: no-referrer\r\n"));
    CHECK(running.get("/lessons/03_softmax").status == 303);
    const Answer state = running.get("/api/state");
    CHECK(json::parse(state.body)["lessons"][0]["folder"] == "03_softmax");
    CHECK(contains(state.head, "Cache-Control: no-store\r\n"));
}

TEST_CASE("server: another host, another origin or no token is refused, on every path") {
    const Running running;
    for (const std::string path : {"/", "/lessons/03_softmax/", "/api/state", "/api/events",
                                   "/lessons/03_softmax/p.svg", "/nowhere"}) {
        CAPTURE(path);
        const std::string get = "GET " + path + " HTTP/1.1\r\n";
        CHECK(running.ask(get + running.host() + "\r\n").status == 403);
        CHECK(running.ask(get + "Host: example.org\r\n" + running.cookie() + "\r\n").status == 403);
        CHECK(
            running
                .ask(get + running.host() + running.cookie() + "Origin: http://example.org\r\n\r\n")
                .status == 403);
        CHECK(running
                  .ask("GET " + path + "?token=0 HTTP/1.1\r\n" + running.host() + running.cookie() +
                       "\r\n")
                  .status == 403);
    }
    const Answer refused = running.post("{}", "Origin: http://example.org\r\n");
    CHECK(refused.status == 403);
    CHECK(refused.body == "This server answers its own pages only, not those of another site.\n");
}

TEST_CASE("server: paths that climb, scan or link out find nothing") {
    const Running running;
    for (const std::string path :
         {"/../secret.svg", "/lessons/../secret.svg", "/%2e%2e/secret.svg",
          "/lessons/%2e%2e%2fsecret.svg", "/lessons/03_softmax/..%2f..%2fsecret.svg",
          "/lessons/03_softmax/out.svg", "/lessons/03_softmax/%00p.svg",
          "/lessons/03_softmax/1_softmax.cpp", "/.git/config", "//etc/passwd",
          "/book/..%2fserver.cpp", "/katex/fonts/..%2f..%2f..%2fpasswd", "/api", "/api/call",
          "/favicon.ico", "/wp-login.php"}) {
        CAPTURE(path);
        const Answer answer = running.get(path);
        CHECK(answer.status == 404);
        CHECK(answer.body == "There is no such page; the list of lessons is at /.\n");
    }
    CHECK(running.get("/lessons/03_softmax/p.svg").body == "<svg/>");
}

TEST_CASE("server: a body of 100 MB is refused, announced or not, packed or not") {
    const Running running;
    const std::string post = "POST /api/call HTTP/1.1\r\n" + running.host() + running.cookie() +
                             "Content-Type: application/json\r\n";
    const std::string megabyte(std::size_t{1} << 20, ' ');
    {
        Connection connection(running.port);
        connection.send(post + "Content-Length: 104857600\r\n\r\n");
        for (int i = 0; i < 100 && connection.send(megabyte); ++i) {
        }
        const Answer answer = parse(connection.receive(4s));
        CHECK(answer.status == 413);
        CHECK(answer.body == "A call has at most 256 KiB.\n");
    }
    CHECK(running.ask(post + "Transfer-Encoding: chunked\r\n\r\n").status == 411);
    CHECK(running.ask(post + "\r\n").status == 411);
    CHECK(running.ask(post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}").status ==
          415);
    CHECK(running
              .ask("POST /api/call HTTP/1.1\r\n" + running.host() + running.cookie() +
                   "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}")
              .status == 415);
    CHECK(running
              .ask("PUT /api/call HTTP/1.1\r\n" + running.host() + running.cookie() +
                   "Content-Length: 104857600\r\n\r\n")
              .status == 405);
    CHECK(running
              .ask("GET / HTTP/1.1\r\n" + running.host() + running.cookie() +
                   "Content-Length: 104857600\r\n\r\n")
              .status == 400);
    CHECK(running.get("/").status == 200);
}

TEST_CASE("server: what is no HTTP, or is never finished, keeps nobody from the pages") {
    const Running running;
    std::vector<Connection> idle;
    for (int i = 0; i < 100; ++i) {
        idle.emplace_back(running.port);
        idle.back().send(i % 2 == 0 ? "" : "GET / HTTP/1.1\r\nHost:");
    }
    CHECK(running.ask("no such thing\r\n\r\n").status == 400);
    const auto start = Clock::now();
    CHECK(running.get("/").status == 200);
    CHECK(Clock::now() - start < 1s);
}

TEST_CASE("server: a hundred pages listen, all are told, and others are served meanwhile") {
    Running running;
    std::vector<Connection> clients;
    for (int i = 0; i < 100; ++i) {
        clients.push_back(running.listen());
        CHECK(contains(clients.back().receive(4s, "event: ping"), "text/event-stream"));
    }
    const auto start = Clock::now();
    CHECK(running.get("/lessons/03_softmax/").status == 200);
    CHECK(running.call("add", {1, 2})["value"] == 3.0);
    CHECK(Clock::now() - start < 2s);
    running.board.set_checking("03.1");
    for (Connection& client : clients) {
        CHECK(contains(client.receive(1s, "03.1"),
                       "event: checking\ndata: {\"exercise\":\"03.1\"}\n\n"));
    }
    // More than there may be are told so, and places of those that have left are free again.
    std::vector<Answer> refused;
    while (refused.empty() && clients.size() < 140) {
        clients.push_back(running.listen());
        const std::string answer = clients.back().receive(4s, "\r\n\r\n");
        if (parse(answer).status == 503) {
            refused.push_back(parse(answer));
        }
    }
    CHECK(refused.size() == 1);
    CHECK(clients.size() == 129);
    CHECK(running.get("/").status == 200);
    clients.clear();
    bool free = false;
    for (int turn = 0; turn < 30 && !free; ++turn) {
        free = contains(running.listen().receive(1s, "event: ping"), "200 OK");
        std::this_thread::sleep_for(free ? 0ms : 100ms);
    }
    CHECK(free);
}

TEST_CASE("server: a function that does not answer is told of in the verdict's words, and the next "
          "call is answered") {
    Running running;
    judge::Verdict passed;
    passed.exercise = "03.1";
    passed.state = judge::State::passed;
    running.board.set("03.1", passed);
    CHECK(running.call("add", {1, 2}) ==
          json{{"ok", true}, {"side", "theirs"}, {"value", 3.0}, {"printed", ""}});
    CHECK(running.call("add", {1, 2}, "ours")["side"] == "ours");
    const auto failure = [&](const std::string& function, const json& arguments) {
        const json answer = running.call(function, arguments);
        CHECK(answer["ok"] == false);
        CHECK(running.call("add", {1, 2})["value"] == 3.0);
        return answer["state"].get<std::string>() + ": " + answer["words"].get<std::string>();
    };
    CHECK(failure("throws", {"a rule"}) == "threw: throws threw std::invalid_argument: a rule");
    CHECK(failure("crashes", {"segfault"}).starts_with("crashed: crashes crashed with SIGSEGV"));
    CHECK(failure("exits", {"_Exit"})
              .starts_with("ended_early: exits ended the whole program, with status 0"));
    CHECK(contains(running.call("print", {"hello"})["printed"].get<std::string>(), "hello"));
    std::thread page([&] { // while it loops
        std::this_thread::sleep_for(200ms);
        const auto start = Clock::now();
        CHECK(running.get("/").status == 200);
        CHECK(running.call("add", {1, 2}, "ours")["value"] == 3.0);
        CHECK(Clock::now() - start < 1s);
    });
    CHECK(failure("loops", {true}) == "ran_too_long: loops did not return within 2 s");
    page.join();
}

TEST_CASE("server: only functions that a figure names are called, with what they take") {
    Running running;
    const auto refusal = [&](const std::string& function, const json& arguments,
                             const std::string& side = "ours") {
        const json answer = running.call(function, arguments, side);
        CHECK(answer["ok"] == false);
        CHECK(answer["state"] == "bad_request");
        return answer["words"].get<std::string>();
    };
    CHECK(refusal("allocates", {1, true}) ==
          "the figure bars of 03_softmax calls no function allocates");
    CHECK(refusal("absent", json::array()) ==
          "the figure bars of 03_softmax calls no function absent");
    CHECK(refusal("add", {1}) == "add takes 2 arguments, got 1");
    CHECK(refusal("add", {1, "cat"}) == "add, argument 2: wanted a number, got \"cat\"");
    CHECK(refusal("echo", json::array({{{"shape", {2}}, {"data", {1, 2}}}})) ==
          "echo, argument 1: wanted an array of rank 2, got rank 1");
    CHECK(refusal("add", {1, 2}, "mine") == "side is auto, ours or theirs, got mine");
    CHECK(running.post("[]").status == 400);
    CHECK(running.post("{\"arguments\": 1}").status == 400);
    CHECK(running.post(std::string(1000, '[')).status == 400);
    CHECK(running.post("no JSON").body.find("a call is a JSON object with a list of arguments") !=
          std::string::npos);
}

TEST_CASE("server: a call of the learner's that cannot be made says why") {
    Running running;
    judge::Verdict verdict;
    verdict.exercise = "03.1";
    verdict.state = judge::State::not_started;
    verdict.summary = "03.1 is not written yet.";
    running.board.set("03.1", verdict);
    CHECK(running.call("add", {1, 2}, "theirs") == json{{"ok", false},
                                                        {"side", "theirs"},
                                                        {"state", "not_started"},
                                                        {"words", "03.1 is not written yet."}});
    verdict.state = judge::State::does_not_compile;
    verdict.summary = "lessons/1_softmax.cpp, line 3";
    running.board.set("03.1", verdict);
    CHECK(running.call("add", {1, 2}, "theirs")["words"] ==
          "03.1 does not compile: lessons/1_softmax.cpp, line 3");
    CHECK(running.call("add", {1, 2})["side"] == "ours");
    std::filesystem::remove(running.tree.root / "build/submission_03_softmax_solutions");
    CHECK(running.call("add", {1, 2})["state"] == "building");
}

TEST_CASE("server: a port that is taken is not taken again, and the program says so in a line") {
    const Running running;
    std::string words;
    try {
        book::Server second({running.site, const_cast<book::Board&>(running.board),
                             const_cast<book::Calls&>(running.calls),
                             const_cast<book::Grading&>(running.grading),
                             const_cast<book::Translations&>(running.translations)},
                            running.port);
    } catch (const course::BadUse& refused) {
        words = refused.what();
    }
    const std::string expected =
        fmt::format("port {} is taken; leave out --port, and a free one is chosen", running.port);
    CHECK(words == expected);
    const auto program =
        process::run({BOOK_PROGRAM, "--no-open", "--port", std::to_string(running.port)});
    CHECK(program.status == 2);
    CHECK(program.output == "course: " + expected + "\n");
    const auto unknown = process::run({BOOK_PROGRAM, "12", "--no-open"});
    CHECK(unknown.status == 2);
    CHECK(unknown.output.starts_with("course: there is no lesson or exercise 12; "));
    const auto bad = process::run({BOOK_PROGRAM, "--port", "0"});
    CHECK(bad.status == 2);
    CHECK(bad.output.find("(see ./course book --help)\n") != std::string::npos);
}

TEST_CASE("server: Ctrl-C ends the program within a second, whoever is connected") {
    process::Pipe output;
    const auto started = Clock::now();
    const pid_t program =
        process::start({.command = {BOOK_PROGRAM, "03", "--no-open"}, .prepare = [&] {
                            process::place({{output.write_end.number(), STDOUT_FILENO}});
                        }});
    output.write_end.close();
    std::string url;
    for (char c = 0; read(output.read_end.number(), &c, 1) == 1 && c != '\n';) {
        url += c;
    }
    CHECK(Clock::now() - started < 3s);
    REQUIRE(url.starts_with("http://127.0.0.1:"));
    REQUIRE(url.find("/lessons/03_softmax/?token=") != std::string::npos);
    const int port = std::stoi(url.substr(17));
    std::vector<Connection> clients;
    for (int i = 0; i < 10; ++i) {
        clients.emplace_back(port);
        clients.back().send(fmt::format("GET /api/events HTTP/1.1\r\nHost: "
                                        "127.0.0.1:{0}\r\nCookie: course_token_{0}={1}\r\n\r\n",
                                        port, url.substr(url.find('=') + 1)));
        CHECK(contains(clients.back().receive(4s, "event: ping"), "200 OK"));
    }
    // It builds behind the pages by now; what does so must be open to signals, and end as well.
    const auto children = [&] {
        std::ifstream list(fmt::format("/proc/{0}/task/{0}/children", program));
        return std::vector<pid_t>(std::istream_iterator<pid_t>(list), {});
    };
    std::vector<pid_t> started_by_it = children();
    for (int turn = 0; turn < 100 && started_by_it.empty(); ++turn) {
        std::this_thread::sleep_for(10ms);
        started_by_it = children();
    }
    REQUIRE(!started_by_it.empty());
    const auto interrupted = Clock::now();
    kill(program, SIGINT);
    const int status = process::wait_for(program);
    CHECK(Clock::now() - interrupted < 1s);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 130);
    const auto one_runs = [&] {
        return std::any_of(started_by_it.begin(), started_by_it.end(),
                           [](const pid_t child) { return kill(child, 0) == 0; });
    };
    for (int turn = 0; turn < 200 && one_runs(); ++turn) {
        std::this_thread::sleep_for(10ms);
    }
    CHECK_FALSE(one_runs());
}
