/// @file
/// What a schedule costs on a transport, until measured.
#pragma once

#include "plan/choice.hpp"
#include "runtime/transport/costs.hpp"

namespace tutti::runtime {

/// What a call takes in a row of calls alike. The schedule is played in virtual time: every rank does its part by a
/// clock of its own, messages cost what `costs` says, a receive waits for its message, a message waits until the one
/// before it between the same ranks was taken, and one that is read in place keeps its sender until it is read. Where
/// ranks outnumber cores, all of their work shares the cores, and every step that takes messages hands a core over.
/// Where short messages go one way only, ranks run ahead of one another, and the busiest one counts.
///
/// A schedule of very many messages is priced by its claims: rounds · (latency + two overheads + the bytes of a mean
/// message).
Price price_of(const Costs& costs);

}  // namespace tutti::runtime
