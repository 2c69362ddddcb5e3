#include "transport/shared/shared_world.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "transport/shared/shared_connection.hpp"

namespace tutti::runtime {

SharedWorld::SharedWorld(std::span<RankRecord> records, const ControlSegment& whole, std::unique_ptr<PeerMemory> memory,
                         Transport transport, int cores, Layout layout, Waking waking)
    : records_(records),
      whole_(whole),
      memory_(std::move(memory)),
      transport_(transport),
      cores_(cores),
      layout_(std::move(layout)),
      waking_(waking),
      leftovers_(*memory_, &whole_.header()) {}

void SharedWorld::fail(int rank, const std::string& reason) {
  record(rank).note_failure(reason);
  whole_.header().count_loss(rank);
  wake_all(records_);
}

std::optional<int> SharedWorld::first_lost() const { return whole_.header().first_loss(); }

// ---- Ranks that wait

void SharedWorld::announce(int rank, std::string_view text, const WaitState& wait_state) {
  record(rank).set_waiting(text, wait_state);
  // Release: all that the rank has done comes before the stamp. Acquire: so do the wait states with smaller stamps.
  record(rank).set_stamp(records_[0].clock().fetch_add(1, std::memory_order_acq_rel) + 1);
}

void SharedWorld::withdraw(int rank) {
  record(rank).set_stamp(0);
  record(rank).set_waiting({});
}

// A look that began when the clock had come to the latest of the stamps came after all of these wait states. One of an
// earlier wait state of the same rank began before that rank's stamp was given out.
bool SharedWorld::were_quiet(std::span<const Stand> stands) const {
  std::uint64_t latest = 0;
  for (const Stand& stand : stands) latest = std::max(latest, stand.stamp);
  return std::all_of(stands.begin(), stands.end(), [&](const Stand& stand) {
    const RankRecord& told = records_[static_cast<std::size_t>(stand.rank)];
    // In this order: a look that belongs to a later wait state is seen with that one's stamp.
    return told.quiet_since() >= latest && told.stamp() == stand.stamp;
  });
}

// ---- Ranks that sleep

bool SharedWorld::prepare_sleep(int rank, WokenBy what) {
  if (waking_ == Waking::by_clock) return false;
  record(rank).sleep_word().prepare_sleep(what);
  if (pass_barrier()) return true;
  // The system has come to refuse it.
  finish_sleep(rank);
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
  SharedPlace place{whole_, rank, all, Leftovers::Owner::other};
  RankNames names = place.names();
  return {
      0, {}, std::move(all), rank, std::make_unique<SharedConnection>(std::move(place), std::move(names), ground())};
}

bool SharedWorld::join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks,
                       Membership& fresh) {
  auto& board = static_cast<BoardAgreement&>(parent.connection->agreement());
  const auto founded = meet(&board, number, ranks.front(), fresh.rank, static_cast<int>(ranks.size()));
  if (founded) fresh = join_founded(*founded, std::move(fresh.members), fresh.rank);
  return founded.has_value();
}

std::optional<std::uint64_t> SharedWorld::meet(BoardAgreement* board, std::uint64_t number, int founder, int rank,
                                               int ranks) {
  if (rank > 0) return board->told(founder, number);
  const std::uint64_t founded = found_by_this_rank(ranks);
  if (board != nullptr) board->tell(number, founded);
  return founded;
}

std::uint64_t SharedWorld::found_by_this_rank(int ranks) {
  leftovers_.sweep();
  const ControlSegment control(memory_->allocate(ControlSegment::bytes(ranks)), ranks);
  // Relaxed: only the numbers must differ.
  control.header().identity = whole_.header().communicators.fetch_add(1, std::memory_order_relaxed) + 1;
  return memory_->address_of(control.base());
}

Membership SharedWorld::join_founded(std::uint64_t founded, std::vector<int> members, int rank) {
  SharedPlace place = place_in(founded, members, rank);
  const std::uint64_t identity = place.control.header().identity;
  RankNames names = place.names();
  return {identity,
          {},
          std::move(members),
          rank,
          std::make_unique<SharedConnection>(std::move(place), std::move(names), ground())};
}

SharedPlace SharedWorld::place_in(std::uint64_t founded, std::vector<int> members, int rank) {
  leftovers_.sweep();
  const ControlSegment control(memory_->pointer_to(founded, 0), static_cast<int>(members.size()));
  return {control, rank, std::move(members), rank == 0 ? Leftovers::Owner::this_rank : Leftovers::Owner::other};
}

SharedGround SharedWorld::ground() { return {records_, *memory_, leftovers_, host().is_outnumbered()}; }

}  // namespace tutti::runtime
