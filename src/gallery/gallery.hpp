/// @file
/// Mistakes that were published or shipped, as schedules.
#pragma once

#include <span>
#include <string_view>

#include "schedule/record/script.hpp"

namespace tutti::gallery {

/// One mistake, restated for a problem that is small enough to read.
struct Exhibit {
  std::string_view name;     ///< kebab-case
  std::string_view mistake;  ///< the mistake and why it is wrong: one or two sentences
  std::string_view source;   ///< publication, release or report that has it
  Problem problem;
  Record record;
};

/// A mistake that no schedule can make, and why.
struct Inexpressible {
  std::string_view mistake;
  std::string_view why;
};

/// All of them: what ranks send and combine, then in what order they wait.
std::span<const Exhibit> exhibits();
std::span<const Inexpressible> inexpressible();

/// Null where there is none of that name.
const Exhibit* find_exhibit(std::string_view name);

// Mistakes in what ranks hold, send and combine.

void bruck_as_printed(Script& me, const Problem& problem);
void n_block_of_two_minds(Script& me, const Problem& problem);
void ring_overwritten(Script& me, const Problem& problem);
void own_contribution_first(Script& me, const Problem& problem);

// In what order they wait.

void send_before_receive(Script& me, const Problem& problem);
void operands_awaited_in_order(Script& me, const Problem& problem);
void scratch_used_again(Script& me, const Problem& problem);

}  // namespace tutti::gallery
