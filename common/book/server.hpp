#pragma once

#include <memory>
#include <string>

#include "book/address.hpp"
#include "book/board.hpp"
#include "book/calls.hpp"
#include "book/grading.hpp"
#include "book/site.hpp"

namespace book {

/// Serves the pages on the loopback address, on threads of its own.
class Server {
public:
    /// The sources of its answers; all must outlive it.
    struct Parts {
        const Site& site;
        Board& board;
        Calls& calls;
        Grading& grading;
    };

    /// port: 0 for a free one. token: of the session (address.hpp). Throws course::BadUse if the
    /// port is taken.
    Server(const Parts& parts, int port, const std::string& token = random_token());
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    const Address& address() const;

private:
    struct Implementation; // httplib is slow to compile, so only one file includes it
    std::unique_ptr<Implementation> implementation_;
};

} // namespace book
