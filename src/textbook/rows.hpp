/// @file
/// The textbook as a table: every claim about a time, from its formula and from simulation.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "topology/machine.hpp"

namespace tutti::textbook {

/// What the rows are asked about. m is `bytes`, by each collective's own convention.
struct Instance {
  int ranks = 64;
  std::int64_t bytes = 1024;  ///< at least 1
  int distance = 5;           ///< of shifts, modulo the ranks
  double ts = 1e-6;
  double tw = 1e-9;
  double th = 1e-7;
};

/// What one row says for an instance, in seconds.
struct Answer {
  std::optional<double> closed_form;  ///< none for rows that state a bound
  std::optional<double> simulated;    ///< none where the row needs another instance
  std::optional<double> bound;        ///< rows that say "at most"
  std::string note;                   ///< what the row needs, assumes or says otherwise; may be empty
  bool agrees = true;                 ///< both engines, and the closed form or the bound, to a relative 1e-9
};

/// One claim of a source document.
struct Row {
  std::string_view id;          ///< "broadcast.ring.sf"
  std::string_view collective;  ///< or "point-to-point"
  std::string_view algorithm;
  std::string_view topology;  ///< "ring", "torus r x r"
  Switching switching = Switching::alpha_beta;
  std::string_view formula;
  std::string_view sources;
  std::function<Answer(const Instance& instance)> answer;
};

/// All rows, in the order of the textbook's chapters.
std::span<const Row> rows();

/// Whether two times are the same but for rounding: to a relative 1e-9.
bool same_time(double a, double b);

}  // namespace tutti::textbook
