/// @file
/// The part of a schedule's readable form that is about one rank.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace tutti {

/// One line an operation, the rank's steps numbered from 1, each phase's name above its first step and pruned sends
/// below theirs: what text_of(schedule) has of the rank. On several nodes the rank's is named, and what crosses to
/// another node says so.
std::string text_of_rank(int rank, const Program& program, const Layout& layout = {});

}  // namespace tutti
