#include "agreement/call_tree.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace tutti::runtime {

void CallTree::Reach::meet(const Reach& other) {
  entered = std::min(entered, other.entered);
  completed = std::min(completed, other.completed);
  left = left && other.left;
}

void CallTree::join(int rank, int size, Post post) {
  rank_ = rank;
  size_ = size;
  post_ = std::move(post);
  advance();
}

void CallTree::leave() {
  has_left_ = true;
  publish();
}

// ---- What this rank does

void CallTree::sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) {
  Call& call = calls_[number % kept_calls];
  call.number = number;
  call.signature = signature;
  call.counts.assign(counts.begin(), counts.end());
  entered_ = number + 1;
  const bool is_meeting = signature.purpose != Purpose::collective;
  if (is_meeting) colors_[number].push_back({signature.color, signature.key, rank_});
  if (is_meeting || entered_ - published_.entered >= batch) publish();
  if (disputed_ != none) tell_everyone();
}

void CallTree::complete(std::uint64_t number) {
  completed_ = number;
  if (completed_ - published_.completed >= batch) publish();
}

void CallTree::publish() {
  const Reach now{entered_, completed_, has_left_};
  if (now == published_) return;
  published_ = now;
  advance();
}

// ---- The tree

// Rank r's parent is r without its lowest bit; so its children are r + 1, r + 2, r + 4, … below that bit.
template <typename F>
void CallTree::for_each_child(const F& f) const {
  const int end = is_root() ? size_ : rank_ & -rank_;
  for (int bit = 1; bit < end && rank_ + bit < size_; bit *= 2) f(rank_ + bit);
}

void CallTree::advance() {
  if (!has_joined()) return;
  Reach reach = published_;
  for_each_child([&](int rank) {
    Child& child = children_[rank];
    compare(child);
    reach.meet(child.reach);
  });
  if (reach == told_up_) return;
  const Reach before = std::exchange(told_up_, reach);
  pass_on_colors(before.entered, reach.entered);
  if (is_root()) {
    weigh(before.entered, reach.entered);
    learn(reach);
  } else {
    send_reach(PacketKind::subtree, parent(), reach, before.entered);
  }
}

/// Every edge of the tree compares its two ends, so that all ranks agree where all edges do.
void CallTree::compare(Child& child) {
  const std::uint64_t end = std::min(child.reach.entered, entered_);
  for (; child.compared < end; ++child.compared) {
    if (child.digests[child.compared % kept_calls] == mine(child.compared).digest) continue;
    dispute(child.compared);
  }
}

/// The balances of the call, added up over this rank and all below it, which have entered it.
std::uint64_t CallTree::balance_below(std::uint64_t number) const {
  std::uint64_t balance = mine(number).balance;
  for (const auto& [rank, child] : children_) balance += child.balances[number % kept_calls];
  return balance;
}

/// At the root, which all ranks are below: calls [first, end) are disputed that have another balance than 0.
void CallTree::weigh(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t number = first; number < end; ++number) {
    if (balance_below(number) != 0) dispute(number);
  }
}

// The neighbours hear of the dispute before anything that this rank says of later calls: so a rank that learns that all
// have entered a call knows whether they agree on it.
void CallTree::dispute(std::uint64_t number) {
  if (number >= disputed_) return;
  disputed_ = number;
  if (!has_joined()) return;
  if (!is_root()) send_reach(PacketKind::subtree, parent(), told_up_, told_up_.entered);
  pass_down(all_);
  tell_everyone();
}

void CallTree::learn(const Reach& all) {
  all_ = all;
  is_over_ = all.left;
  pass_down(all);
  std::erase_if(colors_, [&](const auto& each) { return each.first + kept_calls < all.entered; });
}

void CallTree::pass_down(const Reach& all) const {
  for_each_child([&](int rank) { send_reach(PacketKind::everyone, rank, all, all.entered); });
}

PacketPointer CallTree::packet(PacketKind kind) const { return begun(post_.packet(), kind, identity_, rank_); }

void CallTree::send_reach(PacketKind kind, int to, const Reach& reach, std::uint64_t digests_from) const {
  PacketPointer out = packet(kind);
  out->head.number = reach.entered;
  out->head.word = reach.completed;
  out->head.tag = reach.left ? 1 : 0;
  out->head.digest = digests_from;
  out->head.bytes = static_cast<std::int64_t>(disputed_ + 1);  // 0: no call is disputed
  for (std::uint64_t number = digests_from; number < reach.entered; ++number) {
    const std::uint64_t words[] = {mine(number).digest, balance_below(number)};
    append(*out, words, std::size(words));
  }
  post_.send(to, std::move(out));
}

// ---- What ranks bring to a call that makes communicators

// The colours travel ahead of the word that all ranks below have entered the call: a rank that hears that word has
// heard the colours.
void CallTree::pass_on_colors(std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t number = first; number < end; ++number) {
    const auto found = colors_.find(number);
    if (found == colors_.end() || mine(number).purpose == Purpose::collective) continue;
    if (is_root()) {
      for_each_child([&](int rank) { send_colors(number, found->second, rank); });
    } else {
      send_colors(number, found->second, parent());
      found->second.clear();  // the children's lists come down with those of all ranks
    }
  }
}

void CallTree::send_colors(std::uint64_t number, std::span<const Color> colors, int to) const {
  constexpr std::size_t most = sizeof(Packet::body) / sizeof(Color);
  for (std::size_t begin = 0; begin < colors.size(); begin += most) {
    const std::span<const Color> part = colors.subspan(begin, std::min(most, colors.size() - begin));
    PacketPointer out = packet(PacketKind::colors);
    out->head.number = number;
    append(*out, part.data(), part.size());
    post_.send(to, std::move(out));
  }
}

void CallTree::hear_colors(const Packet& packet) {
  const std::size_t n = packet.head.body_bytes / sizeof(Color);
  std::vector<Color> colors(n);
  std::memcpy(static_cast<void*>(colors.data()), packet.body.data(), n * sizeof(Color));
  std::vector<Color>& known = colors_[packet.head.number];
  known.insert(known.end(), colors.begin(), colors.end());
  const bool is_from_above = has_joined() && !is_root() && packet.head.sender == parent();
  if (is_from_above) for_each_child([&](int rank) { send_colors(packet.head.number, colors, rank); });
}

// ---- What this rank knows

bool CallTree::has_signed(int rank, std::uint64_t number) const {
  if (rank == rank_ && has_joined()) return number < entered_;
  // A rank's colour comes in its own words, or with those of all: that it has entered the call does not tell it.
  const bool is_meeting = number < entered_ && mine(number).purpose != Purpose::collective;
  const std::uint64_t agreed = is_meeting ? all_.entered : std::max(all_.entered, entered_below(rank));
  if (number < std::min(agreed, disputed_)) return true;
  const auto found = told_.find(rank);
  return found != told_.end() && number < found->second.entered;
}

/// The calls that `rank`, which may be below this one, has entered with all in its child's subtree, and this rank as
/// well.
std::uint64_t CallTree::entered_below(int rank) const {
  const auto after = children_.upper_bound(rank);
  if (after == children_.begin()) return 0;
  const auto& [child, heard] = *std::prev(after);
  return rank < child + (child & -child) ? std::min(heard.compared, entered_) : 0;
}

bool CallTree::has_completed(int rank, std::uint64_t number) const {
  if (rank == rank_) return number < completed_;
  const auto found = told_.find(rank);
  return number < all_.completed || (found != told_.end() && number < found->second.completed);
}

const CallTree::Call* CallTree::told_by(int rank, std::uint64_t number) const {
  const auto found = rank == rank_ ? told_.end() : told_.find(rank);
  if (found == told_.end() || found->second.calls[number % kept_calls].number != number) return nullptr;
  return &found->second.calls[number % kept_calls];
}

// A signature that its rank has not told in full equals this rank's own, because all ranks agree on the call; only the
// colours differ.
const Signature& CallTree::signature(int rank, std::uint64_t number) {
  if (const Call* const call = told_by(rank, number)) return call->signature;
  const auto colors = colors_.find(number);
  if (rank == rank_ || colors == colors_.end() || colors->second.size() != static_cast<std::size_t>(size_)) {
    return mine(number);
  }
  if (met_.first != number) {
    met_ = {number, std::vector<Signature>(colors->second.size(), mine(number))};
    for (const Color& each : colors->second) {
      Signature& theirs = met_.second[static_cast<std::size_t>(each.rank)];
      theirs.color = each.color;
      theirs.key = each.key;
    }
  }
  return met_.second[static_cast<std::size_t>(rank)];
}

std::vector<std::int64_t> CallTree::counts(int rank, std::uint64_t number) const {
  if (const Call* const call = told_by(rank, number)) return call->counts;
  const Call& own = calls_[number % kept_calls];
  return rank != rank_ && has_balance(own.signature) ? std::vector<std::int64_t>() : own.counts;
}

std::optional<std::uint64_t> CallTree::disputed() const {
  if (disputed_ == none) return std::nullopt;
  for (int rank = 0; rank < size_; ++rank) {
    if (!has_signed(rank, disputed_)) return std::nullopt;
  }
  return disputed_;
}

}  // namespace tutti::runtime
