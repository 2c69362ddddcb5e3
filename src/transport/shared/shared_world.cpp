#include "transport/shared/shared_world.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "transport/shared/shared_connection.hpp"

namespace tutti::runtime {

SharedWorld::SharedWorld(std::span<RankRecord> records, const ControlSegment& whole, std::unique_ptr<PeerMemory> memory,
                         Engine engine, int cores, Layout layout, Waking waking)
    : records_(records),
      whole_(whole),
      memory_(std::move(memory)),
      engine_(engine),
      cores_(cores),
      layout_(std::move(layout)),
      waking_(waking),
      leftovers_(*memory_) {}

void SharedWorld::fail(int rank, const std::string& reason) {
  record(rank).note_failure(reason);
  whole_.header().count_loss(rank);
  wake_all(records_);
}

std::optional<int> SharedWorld::first_lost() const {
  // Acquire: pairs with count_loss().
  const std::uint32_t first = whole_.header().first_lost.load(std::memory_order_acquire);
  return first == 0 ? std::nullopt : std::optional(static_cast<int>(first) - 1);
}

// ---- Ranks that wait

void SharedWorld::announce(int rank, std::string_view text, const Standing& standing) {
  record(rank).set_waiting(text, standing);
  // Release: all that the rank has done comes before the stamp. Acquire: so do the standings with smaller stamps.
  record(rank).set_stamp(records_[0].clock().fetch_add(1, std::memory_order_acq_rel) + 1);
}

void SharedWorld::withdraw(int rank) {
  record(rank).set_stamp(0);
  record(rank).set_waiting({});
}

// A look that began when the clock had come to the latest of the stamps came after all of these standings. One of an
// earlier standing of the same rank began before that rank's stamp was given out.
bool SharedWorld::were_quiet(std::span<const Stand> stands) const {
  std::uint64_t latest = 0;
  for (const Stand& stand : stands) latest = std::max(latest, stand.stamp);
  return std::all_of(stands.begin(), stands.end(), [&](const Stand& stand) {
    const RankRecord& told = records_[static_cast<std::size_t>(stand.rank)];
    // In this order: a look that belongs to a later standing is seen with that one's stamp.
    return told.quiet_since() >= latest && told.stamp() == stand.stamp;
  });
}

// ---- Ranks that sleep

bool SharedWorld::lie_down(int rank, WokenBy what) {
  if (waking_ == Waking::by_clock) return false;
  record(rank).sleep_word().lie_down(what);
  if (pass_barrier()) return true;
  // The system has come to refuse it.
  get_up(rank);
  return false;
}

bool SharedWorld::sleep(int rank, std::chrono::nanoseconds most) {
  constexpr std::chrono::milliseconds between_looks(20);
  return record(rank).sleep_word().sleep(memory_->is_alarmed() ? std::min<std::chrono::nanoseconds>(most, between_looks)
                                                               : most);
}

// ---- Communicators

Membership SharedWorld::whole(int rank) {
  std::vector<int> all(records_.size());
  std::iota(all.begin(), all.end(), 0);
  auto connection =
      std::make_unique<SharedConnection>(whole_, rank, all, records_, *memory_, leftovers_, Leftovers::Owner::other);
  return {0, std::move(all), rank, std::move(connection)};
}

bool SharedWorld::join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks,
                       Membership& fresh) {
  auto& board = static_cast<BoardAgreement&>(parent.connection->agreement());
  const auto n = static_cast<int>(ranks.size());
  std::byte* base = nullptr;
  if (fresh.rank == 0) {
    base = found(n).base();
    board.tell(number, memory_->address_of(base));
  } else if (const auto address = board.told(ranks.front(), number)) {
    base = memory_->pointer_to(*address);
    leftovers_.sweep();
  } else {
    return false;
  }
  const ControlSegment control(base, n);
  fresh.identity = control.header().identity;
  fresh.connection =
      std::make_unique<SharedConnection>(control, fresh.rank, fresh.members, records_, *memory_, leftovers_,
                                         fresh.rank == 0 ? Leftovers::Owner::this_rank : Leftovers::Owner::other);
  return true;
}

ControlSegment SharedWorld::found(int ranks) {
  leftovers_.sweep();
  const ControlSegment control(memory_->allocate(ControlSegment::bytes(ranks)), ranks);
  // Relaxed: only the numbers must differ.
  control.header().identity = whole_.header().communicators.fetch_add(1, std::memory_order_relaxed) + 1;
  return control;
}

}  // namespace tutti::runtime
