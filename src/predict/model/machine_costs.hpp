/// @file
/// Costs of messages on a machine, inside a node and between nodes: the constants of the cost model.
#pragma once

#include <cstdint>

#include "schedule/model/layout.hpp"

namespace tutti {

/// Help that a sender which only waits gives to the reader of its message.
enum class Help : std::uint8_t { none, with_copies, with_all };

/// Parameters in the manner of LogGP, for ranks on one machine or many; times in seconds. MachineModel says what is
/// made of them.
struct MachineCosts {
  double call;               ///< a collective, beside its messages
  double latency;            ///< from the end of a send to the beginning of its receive
  double overhead;           ///< a message, at either end
  double rendezvous;         ///< more, for a message that is read in the sender's memory
  double short_byte;         ///< a byte of a short message, at either end
  double byte;               ///< a byte of a message read in place
  double combine_byte;       ///< more for a result of several operands, where one is read in place
  double copy_byte;          ///< a byte copied within a rank
  double turn;               ///< handing a core from one rank to another, where ranks outnumber cores
  double near;               ///< the part of byte and copy_byte that holds for data in the caches
  double near_bytes;         ///< up to so many bytes of all ranks of a core, a call's data stay there
  std::int64_t short_bytes;  ///< up to here a message is short
  Help help;
  double further = 1;     ///< the part of byte that each message but the first costs of those that are combined at once
  double alone = 1;       ///< the part of byte, combine_byte and copy_byte that holds where no ranks share a core
  bool in_cells = false;  ///< whether a short message is also no longer than longest_short_message()
  double exchange = 1;    ///< between nodes: byte times this where the reader sends to the same peer meanwhile
  double link_byte = 0;   ///< a byte that crosses the link of a node to others, which its ranks share
  // Costs are measured with a few ranks a core. If there are many, each finds less in the caches when its turn comes:
  double crowded_overhead = 0;  ///< this part of overhead more for each doubling of the ranks of a core beyond 2
  double crowded_turn = 0;      ///< this part of turn more for each doubling beyond 4
};

// Growth of a machine's costs with the ranks of a core: fitted to 4 to 64 ranks on 2 cores (docs/measurements).
inline constexpr double crowded_overhead_in_memory = 0.6;
inline constexpr double crowded_turn_in_memory = 0.25;

inline constexpr MachineCosts threads_costs{.call = 60e-9,
                                            .latency = 85e-9,
                                            .overhead = 25e-9,
                                            .rendezvous = 300e-9,
                                            .short_byte = 0.08e-9,
                                            .byte = 0.2e-9,
                                            .combine_byte = 0.04e-9,
                                            .copy_byte = 0.107e-9,
                                            .turn = 1300e-9,
                                            .near = 0.3,
                                            .near_bytes = 350e3,
                                            .short_bytes = 8192,
                                            .help = Help::with_all,
                                            .further = 0.4,
                                            .alone = 0.75,
                                            .in_cells = true,
                                            .crowded_overhead = crowded_overhead_in_memory,
                                            .crowded_turn = crowded_turn_in_memory};

// Processes that share heaps differ from threads in what a byte costs.
inline constexpr MachineCosts processes_costs = [] {
  MachineCosts costs = threads_costs;
  costs.short_byte = 0.09e-9;
  costs.byte = 0.24e-9;
  costs.combine_byte = 0.067e-9;
  return costs;
}();

// Processes that share no heap: longer messages between them are copied by the system.
inline constexpr MachineCosts system_copies_costs{.call = 40e-9,
                                                  .latency = 80e-9,
                                                  .overhead = 15e-9,
                                                  .rendezvous = 5000e-9,
                                                  .short_byte = 0.15e-9,
                                                  .byte = 0.24e-9,
                                                  .combine_byte = 0.06e-9,
                                                  .copy_byte = 0.08e-9,
                                                  .turn = 1300e-9,
                                                  .near = 1,
                                                  .near_bytes = 350e3,
                                                  .short_bytes = 114688,
                                                  .help = Help::with_copies,
                                                  .crowded_overhead = crowded_overhead_in_memory,
                                                  .crowded_turn = crowded_turn_in_memory};

// Measured on one machine. Between machines a link is taken to be as fast as one rank can use it.
inline constexpr MachineCosts mpi_costs{.call = 500e-9,
                                        .latency = 1000e-9,
                                        .overhead = 300e-9,
                                        .rendezvous = 1000e-9,
                                        .short_byte = 0.2e-9,
                                        .byte = 0.2e-9,
                                        .combine_byte = 0.07e-9,
                                        .copy_byte = 0.06e-9,
                                        .turn = 1000e-9,
                                        .near = 1,
                                        .near_bytes = 350e3,
                                        .short_bytes = 8192,
                                        .help = Help::none,
                                        .link_byte = 0.2e-9};

/// The costs of a message by the nodes of its two ranks. Refers to what it is made of.
class LevelCosts {
 public:
  /// Takes one cost for all messages, wherever the ranks are.
  LevelCosts(const MachineCosts& all) : LevelCosts(all, all, one_node()) {}  // NOLINT: costs are costs
  /// Takes two costs, for ranks whose places `layout` holds.
  LevelCosts(const MachineCosts& inside, const MachineCosts& between, const Layout& layout)
      : inside_(&inside), between_(&between), layout_(&layout), has_levels_(layout.nodes() > 1) {}

  /// Whether there is anything between nodes.
  bool has_levels() const { return has_levels_; }
  const MachineCosts& inside() const { return *inside_; }
  const MachineCosts& between_nodes() const { return *between_; }
  const Layout& layout() const { return *layout_; }

  bool crosses(int from, int to) const { return has_levels_ && layout_->node_of(from) != layout_->node_of(to); }
  const MachineCosts& of(int from, int to) const { return crosses(from, to) ? *between_ : *inside_; }
  /// A collective, beside its messages.
  double call() const { return has_levels_ ? between_->call : inside_->call; }

 private:
  static const Layout& one_node() {
    static const Layout layout;
    return layout;
  }

  const MachineCosts* inside_;
  const MachineCosts* between_;
  const Layout* layout_;
  bool has_levels_;
};

}  // namespace tutti
