#pragma once

#include "hostile.hpp"
#include "judge/export.hpp"

/// Registers a mistake in a function.
#define MISTAKE(function, name, explanation, ...)                                                  \
    const judge::RegisterVariant<decltype(lesson::function)> mistake_##function##_##name(          \
        #function, #name, explanation, __VA_ARGS__)

JUDGE_FUNCTION(add, a, b);
JUDGE_FUNCTION(echo, X);
JUDGE_FUNCTION(describe_sample, X, label);
JUDGE_FUNCTION(product, X, W);
JUDGE_FUNCTION(check_product, X, W);
JUDGE_FUNCTION(nothing, );
JUDGE_FUNCTION(print, text);
JUDGE_FUNCTION(process_id, );

JUDGE_FUNCTION(doubled, X);
JUDGE_FUNCTION(changes_its_argument, X, and_throws);
JUDGE_FUNCTION(changes_its_copy, X);
JUDGE_FUNCTION(half_written, a);

JUDGE_FUNCTION(unwritten, X);
JUDGE_FUNCTION(throws, what);
JUDGE_FUNCTION(loops, ignoring_signals);
JUDGE_FUNCTION(crashes, how);
JUDGE_FUNCTION(exits, how);
JUDGE_FUNCTION(allocates, bytes, touching);
JUDGE_FUNCTION(huge_answer, rows);
JUDGE_FUNCTION(stops_itself, );

JUDGE_FUNCTION(prints, megabytes);
JUDGE_FUNCTION(closes, first_descriptor, last_descriptor);
JUDGE_FUNCTION(open_descriptors, );

JUDGE_FUNCTION(leaves_a_process, how, and_exits);
JUDGE_FUNCTION(leaves_its_folder_full, );
JUDGE_FUNCTION(reaches_out, how, path);
JUDGE_FUNCTION(fills_its_folder, how);
JUDGE_FUNCTION(works_honestly, );
JUDGE_FUNCTION(environment, name);
