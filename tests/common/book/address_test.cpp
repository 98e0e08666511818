#include <doctest/doctest.h>

#include <vector>

#include "book/address.hpp"

namespace {

const std::string token = "00112233445566778899aabbccddeeff";
const std::string cookie = "course_token_4000=" + token;

std::string refusal(const book::Address::Asked& asked) {
    return book::Address(4000, token).refusal(asked);
}

const std::string other_host =
    "This server answers at its own address only, the one that ./course book printed.";
const std::string other_site = "This server answers its own pages only, not those of another site.";
const std::string no_token =
    "Open the address that ./course book printed: it holds the token of this session.";

} // namespace

TEST_CASE("address: the right host with the token is answered, also behind a tunnel or a proxy") {
    for (const book::Address::Asked& asked : std::vector<book::Address::Asked>{
             {"127.0.0.1:4000", "", cookie, ""},
             {"localhost:4000", "", "a=b; " + cookie + "; c=d", ""},
             {"127.0.0.1:4000", "", "", token},
             {"127.0.0.1:4000", "http://localhost:4000", cookie, ""},
             {"127.0.0.1:4000", "https://localhost:4000", cookie, ""},
             {"127.0.0.1:9999", "http://127.0.0.1:9999", cookie, ""},
             {"localhost", "http://localhost", cookie, ""}}) { // port 80
        CAPTURE(asked.host);
        CAPTURE(asked.origin);
        CHECK(refusal(asked) == "");
    }
}

TEST_CASE("address: another host, another origin and another token are refused") {
    for (const char* host : {"", ":4000", "127.0.0.1:", "localhost:4000:1", "example.org:4000",
                             "localhost.example.org", "[::1]:4000", "0.0.0.0:4000"}) {
        CAPTURE(host);
        CHECK(refusal({host, "", cookie, ""}) == other_host);
    }
    for (const char* origin :
         {"null", "http://example.org", "https://localhost.example.org:4000", "http://127.0.0.1",
          "http://127.0.0.1:4001", "ftp://127.0.0.1:4000", "http://127.0.0.1:4000@example.org"}) {
        CAPTURE(origin);
        CHECK(refusal({"127.0.0.1:4000", origin, cookie, ""}) == other_site);
    }
    for (const std::string& given :
         {std::string(), "course_token=" + token, "course_token_4001=" + token, "x" + cookie,
          cookie + "0", cookie.substr(0, 40)}) {
        CAPTURE(given);
        CHECK(refusal({"127.0.0.1:4000", "", given, ""}) == no_token);
    }
    CHECK(refusal({"127.0.0.1:4000", "", cookie, "wrong"}) == no_token);
}

TEST_CASE("address: the printed address, and the browser's cookie") {
    const book::Address address(4000, token);
    CHECK(address.url("lessons/03_softmax/") ==
          "http://127.0.0.1:4000/lessons/03_softmax/?token=" + token);
    CHECK(address.cookie() == cookie + "; HttpOnly; SameSite=Strict; Path=/");
}

TEST_CASE("address: a token has 128 bits, and another is another") {
    const std::string one = book::random_token();
    CHECK(one.size() == 32);
    CHECK(one.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(book::random_token() != one);
}
