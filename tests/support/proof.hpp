#pragma once

// What the proof of an exercise uses. It begins:
//
//   #include "exports.hpp"
//   #include "support/proof.hpp"
//
//   namespace of_softmax_rows {
//
//   using namespace proof;
//
// The proofs of a lesson are compiled together, as one file: of_softmax_rows keeps the names of one
// apart from those of the others.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "judge/redraw.hpp"
#include "judge/text.hpp"
#include "support/domain.hpp"
#include "support/golden.hpp"
#include "support/kinds_of_arguments.hpp"
#include "support/oracle.hpp"

namespace proof {

using attention::Matrix;
using attention::Tensor3;
using attention::Vector;
using domain::Domain;
using domain::Kind;
using oracle::infinity;
using oracle::Mask;
using support::golden;
using support::golden_tensor3;
using support::golden_vector;

using judge::exact;
using judge::expect_close;
using judge::expect_invalid_argument;
using judge::expect_refused;
using judge::expect_shape;
using judge::expect_that;
using judge::from_value;
using judge::in_double;
using judge::normwise;
using judge::number_text;
using judge::redrawn;
using judge::roughly;
using judge::sizes;
using judge::sums_in_double;
using judge::to_value;
using judge::Tolerance;

} // namespace proof
