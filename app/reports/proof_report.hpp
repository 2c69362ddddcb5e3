/// @file
/// Report of `tutti verify`.
#pragma once

#include <span>

#include "app/command_line/outcome.hpp"
#include "app/options/request.hpp"
#include "app/reports/proofs.hpp"

namespace tutti::app {

/// The verdicts as a table, or as JSON: {"proved", "failed", "algorithms": [...]}. Status 1 if any proof failed. Where
/// the layout speaks of ranks, it says which algorithms ask for it: the proofs of the others hold for every layout.
/// The table gives rounds for the last number of ranks, or the nearest below that an algorithm takes: with the
/// parameters, the count and the distance of the request that was asked.
Outcome report(std::span<const Verdict> verdicts, const RankRange& ranks, bool json, const Layout& layout = {},
               const Request& asked = {});

}  // namespace tutti::app
