// Wrong versions of 07.4: which of several references sets the length.

#include <algorithm>
#include <cmath>

#include "wrong_bleu.hpp"

namespace misconceptions_bleu_length {

using namespace wrong_bleu;

namespace {

MISCONCEPTION(bleu, longest_reference,
              "of several references the longest sets the length. It is the one whose length is "
              "closest to the hypothesis' own.",
              length_by([](double, const std::vector<double>& lengths) {
                  return largest(lengths);
              }));

MISCONCEPTION(bleu, shortest_reference,
              "of several references the shortest sets the length. It is the one whose length is "
              "closest to the hypothesis' own.",
              length_by([](double, const std::vector<double>& lengths) {
                  return smallest(lengths);
              }));

MISCONCEPTION(bleu, length_of_the_first,
              "of several references the first sets the length. It is the one whose length is "
              "closest to the hypothesis' own.",
              length_by([](double, const std::vector<double>& lengths) {
                  return lengths.front();
              }));

MISCONCEPTION(bleu, mean_length,
              "the lengths of a sentence's references are averaged. The one that is closest to the "
              "hypothesis' own counts, alone.",
              length_by([](double, const std::vector<double>& lengths) {
                  return sum(lengths) / static_cast<double>(lengths.size());
              }));

MISCONCEPTION(bleu, summed_length,
              "the lengths of all of a sentence's references are added up, and every hypothesis "
              "looks short beside them. The one that is closest to its own length counts, alone.",
              length_by([](double, const std::vector<double>& lengths) { return sum(lengths); }));

/// The first of the lengths that are closest to a hypothesis' own.
template <class Iterator>
double closest(Iterator first, Iterator last, double own) {
    return *std::min_element(
        first, last, [=](double a, double b) { return std::abs(a - own) < std::abs(b - own); });
}

MISCONCEPTION(bleu, longer_of_equally_close,
              "of two references that are equally close in length the longer one counts here. It "
              "is the shorter that does.",
              length_by([](double own, std::vector<double> lengths) {
                  std::sort(lengths.rbegin(), lengths.rend());
                  return closest(lengths.begin(), lengths.end(), own);
              }));

MISCONCEPTION(bleu, last_of_equally_close,
              "of two references that are equally close in length the one that comes last counts "
              "here, as a comparison with <= does. It is the shorter that does, wherever it is.",
              length_by([](double own, const std::vector<double>& lengths) {
                  return closest(lengths.rbegin(), lengths.rend(), own);
              }));

MISCONCEPTION(bleu, first_of_equally_close,
              "of two references that are equally close in length the one that comes first counts "
              "here. It is the shorter that does, wherever it stands.",
              length_by([](double own, const std::vector<double>& lengths) {
                  return closest(lengths.begin(), lengths.end(), own);
              }));

} // namespace

} // namespace misconceptions_bleu_length
