/// @file
/// Stages recorded: an algorithm within another one.
#pragma once

#include "schedule/record/script.hpp"
#include "schedule/record/stage_placement.hpp"

namespace tutti {

/// The stage on all ranks of the whole: the same numbers and parameters, no views yet.
Stage stage_of_all(const Script& me, const Problem& problem);

/// Records what this rank does in the stage.
void perform(Script& me, const Record& record, const Stage& stage);

}  // namespace tutti
