/// @file
/// Terms of a cost: factors of the machine's parameters.
#pragma once

#include <cstdint>

#include "topology/machine.hpp"

namespace tutti {

/// The longest chain of a schedule, counted: its time is starts · ts + elements · bytes each · tw + hops · th +
/// combined · bytes each · tc + rearranged · bytes each · tr. Every cost of the textbook has this form. Not integers, because p² blocks of m elements
/// pass 2^63; exact up to 2^53.
struct Terms {
  double starts = 0;      ///< messages, one after the other
  double elements = 0;    ///< elements that cross links, one after the other, each as often as its link is shared
  double hops = 0;        ///< links that headers cross, with cut-through
  double combined = 0;    ///< elements that are combined with others
  double rearranged = 0;  ///< elements that a rank sorts by destination in its own memory, before phases

  Terms& operator+=(const Terms& other) {
    starts += other.starts;
    elements += other.elements;
    hops += other.hops;
    combined += other.combined;
    rearranged += other.rearranged;
    return *this;
  }
  friend Terms operator+(Terms a, const Terms& b) { return a += b; }
};

/// Seconds on a machine, for elements of `element_bytes` bytes. Of the machine only ts, tw, th, tc and tr count.
inline double seconds(const Terms& terms, std::int64_t element_bytes, const Machine& machine) {
  const auto bytes = static_cast<double>(element_bytes);
  return terms.starts * machine.ts + terms.elements * bytes * machine.tw + terms.hops * machine.th +
         terms.combined * bytes * machine.tc + terms.rearranged * bytes * machine.tr;
}

/// `n` messages of `each` elements, one after the other.
inline Terms messages(double n, double each) { return {.starts = n, .elements = n * each}; }

/// Returns the terms with the combining of the receivers.
inline Terms reducing(Terms terms) {
  terms.combined = terms.elements;
  return terms;
}

/// A message of `elements` elements over `links` links, links >= 1: ts + l m tw stored and forwarded whole, ts + l th +
/// m tw cut through, ts + m tw under alpha-beta. In packets of `packet` elements that are stored and forwarded, the
/// first packet goes ahead: ts + (m + (l - 1) packet) tw. Source: A. Grama, A. Gupta, G. Karypis, V. Kumar,
/// Introduction to Parallel Computing, 2nd ed., 2003, §2.5.
Terms message_terms(Switching switching, int links, double elements, double packet = 0);

}  // namespace tutti
