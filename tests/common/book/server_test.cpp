// The server's promises: who gets in, what can be reached, and what happens in a flood.

#include <doctest/doctest.h>

#include "running.hpp"

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

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
    for (const std::string path : {"/", "/api/state", "/lessons/03_softmax/p.svg", "/nowhere"}) {
        CAPTURE(path);
        const std::string get = "GET " + path + " HTTP/1.1\r\n", cookie = running.cookie();
        for (const std::string& headers :
             {running.host(), "Host: example.org\r\n" + cookie,
              running.host() + cookie + "Origin: http://example.org\r\n"}) {
            CHECK(running.ask(get + headers + "\r\n").status == 403);
        }
    }
    const Answer refused = running.post("{}", "Origin: http://example.org\r\n");
    CHECK(refused.status == 403);
    CHECK(refused.body == "This server answers its own pages only, not those of another site.\n");
}

TEST_CASE("server: a path that climbs, or leads nowhere, finds nothing") {
    const Running running;
    for (const std::string path : {"/%2e%2e/secret.svg", "/book/..%2fserver.cpp", "/favicon.ico"}) {
        CAPTURE(path);
        const Answer answer = running.get(path);
        CHECK(answer.status == 404);
        CHECK(answer.body == "There is no such page; the list of lessons is at /.\n");
    }
    CHECK(running.get("/lessons/03_softmax/p.svg").body == "<svg/>");
}

TEST_CASE("server: a body of 100 MB is refused, announced or not") {
    const Running running;
    const std::string post = "POST /api/call HTTP/1.1\r\n" + running.host() + running.cookie() +
                             "Content-Type: application/json\r\n";
    const std::string megabyte(std::size_t{1} << 20, ' ');
    Connection connection(running.port);
    connection.send(post + "Content-Length: 104857600\r\n\r\n");
    for (int i = 0; i < 100 && connection.send(megabyte); ++i) {
    }
    const Answer answer = parse(connection.receive(4s));
    CHECK(answer.status == 413);
    CHECK(answer.body == "A POST must not be longer than 8 MiB.\n");
    CHECK(running.ask(post + "Transfer-Encoding: chunked\r\n\r\n").status == 411);
    CHECK(running.get("/").status == 200);
}

TEST_CASE("server: a hundred pages listen, all get events, and others are served meanwhile") {
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
}
