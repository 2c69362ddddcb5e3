/// @file
/// Tree over which the ranks of a communicator bring together what they have called.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "agreement/agreement.hpp"
#include "agreement/packet.hpp"

namespace tutti::runtime {

/// One rank's part in the agreement on what all ranks call.
///
/// The ranks form a binomial tree with rank 0 at its root. Each tells its parent how many collectives all ranks below
/// it, and it, have entered and completed, and the digests of those calls; the root tells all what holds for everyone.
/// So an agreement costs a rank one packet up and at most log p down, for as many calls as are told at once. Time: 2
/// log p hops, on which ranks between must come to tutti.
///
/// A rank that waits outside of tutti, for a message of the program's own, passes nothing on. Nobody needs it to: let m
/// be the least number of calls that a rank has left, and let ranks outside wait for others to leave a call that they
/// have left themselves. Who has left more than m has entered call m, hence has learned, and passed on, that all have
/// completed m - L; who has left m and waits outside would wait for a rank that has left fewer. So all others are in
/// tutti, and those who are to enter call m learn that they may.
///
/// With the digests go the balances of the calls, added up over the subtree; at the root their sum is that of all
/// ranks.
///
/// If two digests of one call differ, or a sum is not 0, the rank that sees it first tells its neighbours in the tree,
/// they tell theirs, and each rank tells every other its signatures in full, so that the error can name everyone. A
/// rank that has waited for long, or ends, does so too: others then know of it what they cannot learn from what holds
/// for all.
///
/// Packets of one rank are expected in the order in which it sent them. For one thread at a time.
class CallTree {
 public:
  /// Makes packets and sends them to a rank of the communicator.
  struct Post {
    std::function<PacketPointer()> packet;
    std::function<void(int rank, PacketPointer packet)> send;
  };

  explicit CallTree(std::uint64_t identity) : identity_(identity) {}

  /// This rank takes part from here on, as `rank` of `size`; packets may have come before.
  void join(int rank, int size, Post post);
  bool has_joined() const { return size_ > 0; }
  /// This rank calls nothing any more, and needs nothing of the others' calls.
  void leave();
  /// Sends nothing from here on: this rank has told everyone that it ends.
  void fall_silent() {
    post_.send = [](int, const PacketPointer&) {};
  }
  /// All ranks have left, and this one has passed that on.
  bool is_over() const { return is_over_; }

  // Work of this rank. Its parent learns of it when it is published.

  void sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts);
  void complete(std::uint64_t number);
  void publish();
  /// Tells every other rank in full what of this rank's calls it may not know.
  void tell_everyone();

  // Knowledge of this rank.

  std::uint64_t entered() const { return entered_; }
  /// All ranks have entered, and completed, all collectives below.
  std::uint64_t entered_by_all() const { return all_.entered; }
  std::uint64_t completed_by_all() const { return all_.completed; }
  bool has_signed(int rank, std::uint64_t number) const;
  bool has_completed(int rank, std::uint64_t number) const;
  /// The signature, once signed and until this rank enters collective `number` + L.
  const Signature& signature(int rank, std::uint64_t number);
  /// The counts that belong to it; empty where they are that rank's own and it has not told them.
  std::vector<std::int64_t> counts(int rank, std::uint64_t number) const;
  const Signature& mine(std::uint64_t number) const { return calls_[number % kept_calls].signature; }
  /// Whether ranks are known to differ in a collective below `number`.
  bool is_disputed_below(std::uint64_t number) const { return disputed_ < number; }
  /// The first collective in which ranks differ, once all have told their signatures of it.
  std::optional<std::uint64_t> disputed() const;

  /// Packets of the kinds calls, subtree, everyone and colors.
  void hear(const Packet& packet);

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  /// A rank publishes so many calls at a time, or what it has when it waits.
  static constexpr std::uint64_t batch = collective_slots / 2;
  /// A packet tells so many calls in full: the other half of it is left for their counts.
  static constexpr std::uint64_t calls_a_packet = sizeof(Packet::body) / 2 / sizeof(Signature);

  struct Call {
    std::uint64_t number = none;
    Signature signature;
    std::vector<std::int64_t> counts;
  };
  /// Everything that one rank has told in full.
  struct Told {
    std::uint64_t entered = 0;
    std::uint64_t completed = 0;
    std::array<Call, kept_calls> calls;
  };
  /// Progress of a set of ranks: the least of each count.
  struct Reach {
    std::uint64_t entered = 0;
    std::uint64_t completed = 0;
    bool left = false;

    void meet(const Reach& other);
    friend bool operator==(const Reach&, const Reach&) = default;
  };
  struct Child {
    Reach reach;
    std::uint64_t compared = 0;
    std::array<std::uint64_t, kept_calls> digests = {};
    std::array<std::uint64_t, kept_calls> balances = {};  // sums over this rank and all below it
  };
  /// Contribution of a rank to a call that makes communicators.
  struct Color {
    std::int64_t color = 0;
    std::int64_t key = 0;
    std::int32_t rank = 0;
  };

  int parent() const { return rank_ & (rank_ - 1); }
  bool is_root() const { return rank_ == 0; }
  template <typename F>
  void for_each_child(const F& f) const;
  PacketPointer packet(PacketKind kind) const;
  std::uint64_t entered_below(int rank) const;
  const Call* told_by(int rank, std::uint64_t number) const;
  void send_reach(PacketKind kind, int to, const Reach& reach, std::uint64_t digests_from) const;
  void advance();
  void compare(Child& child);
  std::uint64_t balance_below(std::uint64_t number) const;
  void weigh(std::uint64_t first, std::uint64_t end);
  void dispute(std::uint64_t number);
  void learn(const Reach& all);
  void pass_down(const Reach& all) const;
  void send_colors(std::uint64_t number, std::span<const Color> colors, int to) const;
  void pass_on_colors(std::uint64_t first, std::uint64_t end);
  void put_calls(Packet& packet, std::uint64_t first, std::uint64_t end) const;
  void hear_calls(const Packet& packet);
  void hear_subtree(const Packet& packet);
  void hear_everyone(const Packet& packet);
  void hear_colors(const Packet& packet);

  std::uint64_t identity_;
  int rank_ = 0;
  int size_ = 0;
  Post post_;

  std::uint64_t entered_ = 0;
  std::uint64_t completed_ = 0;
  bool has_left_ = false;
  std::array<Call, kept_calls> calls_;
  Reach published_;                // progress of this rank
  Reach told_up_;                  // progress of this rank and all below
  Reach told_everyone_;            // in full
  std::map<int, Child> children_;  // by rank
  Reach all_;
  std::uint64_t disputed_ = none;
  bool is_over_ = false;
  std::map<int, Told> told_;                            // by rank
  std::map<std::uint64_t, std::vector<Color>> colors_;  // by collective: of the ranks below, and then of all
  std::pair<std::uint64_t, std::vector<Signature>> met_ = {none, {}};  // a meeting's signatures, of all ranks
};

}  // namespace tutti::runtime
