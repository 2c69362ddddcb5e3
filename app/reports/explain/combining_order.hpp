/// @file
/// `tutti explain --order`: in which order a reduction combines contributions, and how that depends on the size.
#pragma once

#include <functional>
#include <string>

#include "app/command_line/outcome.hpp"
#include "schedule/model/choice.hpp"

namespace tutti::app {

/// A reduction whose order is asked for.
struct OrderQuestion {
  Problem problem;
  Choice choice;
  Layout layout;
  std::string why;                                   ///< the algorithm is taken; empty where it was named
  std::function<Choice(const Problem&)> choice_for;  ///< returns the choice for another size
};

/// The order of every result, and the sizes at which there are others. Throws `Error` where the collective combines
/// nothing.
Outcome explain_order(const OrderQuestion& question, bool json);

}  // namespace tutti::app
