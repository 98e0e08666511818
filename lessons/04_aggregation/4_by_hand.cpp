#include "aggregation.hpp"

// No code here, but numbers, from paper and a pocket calculator:
//
//          ⎡ 1  0 ⎤                ⎡  1    0  ⎤
//      Q = ⎢ 0  1 ⎥        K = V = ⎢  0    1  ⎥        d_k = 2
//          ⎣ 1  1 ⎦                ⎣ 0.5  0.5 ⎦
//
// Three decimals are enough; 2.0 / 3 is a number too (2 / 3 is 0). Grade as often as you like: a
// mistake counts only in the step where it is made, and what is still blank can wait.

namespace lesson {

ByHand by_hand() {
    ByHand sheet;

    // TODO 04.4: put a number in place of every blank, and answer the two questions below

    // Step 1: the raw scores, Q · Kᵀ
    sheet.raw_scores = rows({
        // key 1  key 2  key 3
        {  blank, blank, blank }, // query 1
        {  blank, blank, blank }, // query 2
        {  blank, blank, blank }, // query 3
    });

    // Step 2: the scaled scores, each divided by √d_k
    sheet.scaled_scores = rows({
        // key 1  key 2  key 3
        {  blank, blank, blank }, // query 1
        {  blank, blank, blank }, // query 2
        {  blank, blank, blank }, // query 3
    });

    // Step 3: the weights, softmax of each row
    sheet.weights = rows({
        // key 1  key 2  key 3
        {  blank, blank, blank }, // query 1
        {  blank, blank, blank }, // query 2
        {  blank, blank, blank }, // query 3
    });

    // Step 4: the output, weights · V
    sheet.output = rows({
        {  blank, blank }, // query 1
        {  blank, blank }, // query 2
        {  blank, blank }, // query 3
    });

    // Step 5: what do the weights say? Queries count from 1.
    sheet.most_uniform = unanswered; // which query spreads its attention most evenly?
    sheet.most_focused = {};         // which the least evenly? All that tie, as in {3} or {2, 3}

    if (nothing_filled_in(sheet)) {
        todo("04.4"); // not started; this stays
    }
    return sheet;
}

} // namespace lesson
