/// @file
/// What a call by an algorithm takes: that by which algorithms are chosen.
#pragma once

#include <cstdint>

#include "schedule/choice.hpp"

namespace tutti {

/// Predicts times from what all ranks know alike, so that all of them come to the same numbers. Thread-safe.
class CostModel {
 public:
  CostModel() = default;
  CostModel(const CostModel&) = delete;
  CostModel& operator=(const CostModel&) = delete;
  virtual ~CostModel() = default;

  /// What a call in a row of calls alike takes, in seconds. Needs a well-formed problem that meets the algorithm's
  /// needs; `element_size` in bytes.
  virtual double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const = 0;
  /// Not more than that, without recording anything: what is already too much needs no closer look.
  virtual double at_least(const Choice& choice, const Problem& problem, std::int64_t element_size) const {
    static_cast<void>(choice);
    static_cast<void>(problem);
    static_cast<void>(element_size);
    return 0;
  }
  /// The problem with as much of it as the model looks at: it costs the same, and may be asked about with less work.
  virtual Problem essence(const Problem& problem) const { return problem; }
};

}  // namespace tutti
