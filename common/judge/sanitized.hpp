#pragma once

// JUDGE_SANITIZED where the address sanitizer is compiled in: g++ and clang report it in ways of
// their own.

#if defined(__SANITIZE_ADDRESS__)
#define JUDGE_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JUDGE_SANITIZED
#endif
#endif
