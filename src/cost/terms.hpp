/// @file
/// What the machine's parameters are multiplied by.
#pragma once

#include <cstdint>

#include "topology/machine.hpp"

namespace tutti {

/// The longest chain of a schedule, counted: its time is starts · ts + elements · bytes each · tw + hops · th +
/// combined · bytes each · tc. Every cost of the textbook has this form. Not integers, because p² blocks of m elements
/// pass 2^63; exact up to 2^53.
struct Terms {
  double starts = 0;    ///< messages, one after the other
  double elements = 0;  ///< elements that cross links, one after the other, each as often as its link is shared
  double hops = 0;      ///< links that headers cross, with cut-through
  double combined = 0;  ///< elements that are combined with others

  Terms& operator+=(const Terms& other) {
    starts += other.starts;
    elements += other.elements;
    hops += other.hops;
    combined += other.combined;
    return *this;
  }
  friend Terms operator+(Terms a, const Terms& b) { return a += b; }
};

/// Seconds on a machine, for elements of `element_bytes` bytes. Of the machine only ts, tw, th and tc count.
inline double seconds(const Terms& terms, std::int64_t element_bytes, const Machine& machine) {
  const auto bytes = static_cast<double>(element_bytes);
  return terms.starts * machine.ts + terms.elements * bytes * machine.tw + terms.hops * machine.th +
         terms.combined * bytes * machine.tc;
}

/// `n` messages of `each` elements, one after the other.
inline Terms messages(double n, double each) { return {.starts = n, .elements = n * each}; }

/// The same where the receivers combine what they receive.
inline Terms reducing(Terms terms) {
  terms.combined = terms.elements;
  return terms;
}

}  // namespace tutti
