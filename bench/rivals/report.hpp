/// @file
/// All figures of a comparison, as a table and as JSON.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/rivals/contenders.hpp"
#include "measure/loop.hpp"

namespace tutti::bench {

/// Figures of one cell, round by round, in microseconds.
struct Figures {
  measure::Cell cell;
  using Rounds = std::map<Contender, std::vector<double>>;
  Rounds rounds;        ///< with buffers that change from call to call
  Rounds warm_rounds;   ///< with the same buffers for all calls
  Rounds fresh_rounds;  ///< with memory that each call has for itself
  std::vector<double> limit_rounds;

  const Rounds& with(measure::BufferReuse use) const {
    if (use == measure::BufferReuse::fresh) return fresh_rounds;
    return use == measure::BufferReuse::warm ? warm_rounds : rounds;
  }
  /// The median of the rounds' medians; nothing where there is no such call, or its program failed.
  std::optional<double> of(Contender contender, measure::BufferReuse use) const;
  /// The least of the rounds: what disturbs a round does not move the limit.
  double limit() const;
  /// The better of the MPIs.
  std::optional<double> best_mpi(measure::BufferReuse use) const;
};

/// A row a cell; then the geometric means by ranks, and the cells in which tutti is slower.
std::string table_of(const std::vector<Figures>& all);

/// {"machine", "cells": [{"collective", "bytes", "ranks", "transport", "tutti_us", "openmpi_us", "mpich_us", "gloo_us",
/// "tutti_warm_us", "openmpi_warm_us", "mpich_warm_us", "gloo_warm_us", "tutti_fresh_us", …, "limit_us"}], "commands":
/// [...]}: two cells for each of `all`, one a transport; null where there is no figure.
nlohmann::ordered_json json_of(const std::vector<Figures>& all, const std::string& machine,
                               const std::vector<std::string>& commands);

}  // namespace tutti::bench
