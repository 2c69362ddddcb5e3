#include "transport/mpi/plugin/mpi_world.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <numeric>
#include <thread>

#include "base/system/tell_user.hpp"
#include "base/system/waiting_time.hpp"
#include "base/text/rank_lists.hpp"
#include "transport/communicator_name.hpp"
#include "transport/late_after.hpp"
#include "transport/mpi/plugin/mpi_connection.hpp"

namespace tutti::runtime {
namespace {

/// The most ranks that one packet tells what its sender has seen of each.
constexpr std::size_t most_seen = std::tuple_size_v<decltype(Packet::body)> / sizeof(std::uint64_t);
static_assert(most_seen == 1032, "MpiWorld's comment says so");

/// Time that a rank which has failed gives the others, so that they can tell why they end, too.
constexpr std::chrono::milliseconds last_words(500);
/// Time that the others have to end by themselves, on cores that other programs use, too: those that know that they
/// have failed, which tell why, and those that still compute.
constexpr std::chrono::milliseconds grace_of_failed(3000);
constexpr std::chrono::milliseconds grace(10'000);
constexpr std::chrono::microseconds nap(200);

}  // namespace

MpiWorld::MpiWorld(ThreadSupport threads)
    : link_(threads),
      records_(static_cast<std::size_t>(link_.size())),
      late_after_(late_after()),
      memory_(records_),
      mailboxes_(link_),
      is_lost_(records_.size()),
      heard_at_(records_.size()),
      quiet_(records_.size()) {
  record(link_.rank()).join(getpid());
  link_.deliver_to([this](int from, PacketPointer packet) { receive(from, std::move(packet)); });
}

// ---- Communicators

Membership MpiWorld::whole(int rank) {
  std::vector<int> all(records_.size());
  std::iota(all.begin(), all.end(), 0);
  auto connection = std::make_unique<MpiConnection>(link_, mailboxes_, 0, rank, all);
  return {0, {}, std::move(all), rank, std::move(connection)};
}

bool MpiWorld::join(const Membership& parent, std::uint64_t number, const std::vector<int>& ranks, Membership& fresh) {
  fresh.identity = name_of_communicator(parent.identity, number, ranks.front());
  fresh.connection = std::make_unique<MpiConnection>(link_, mailboxes_, fresh.identity, fresh.rank, fresh.members);
  return true;
}

// No communicator that a collective makes comes of this parent.
Foundation MpiWorld::found(const std::vector<int>&, int rank) {
  constexpr std::uint64_t no_parent = ~std::uint64_t{0};
  if (rank > 0) return {};
  ++founded_;
  return {.name = name_of_communicator(no_parent, founded_, link_.rank()), .count = founded_};
}

Membership MpiWorld::join(std::span<const Foundation> told, std::vector<int> members, int rank) {
  const std::uint64_t name = told.front().name;
  Title title = title_of_founded(told.front().count, members.front());
  auto connection = std::make_unique<MpiConnection>(link_, mailboxes_, name, rank, members);
  return {name, std::move(title), std::move(members), rank, std::move(connection)};
}

// ---- Packets

void MpiWorld::receive(int from, PacketPointer packet) {
  const Head head = packet->head;
  const auto text = [&] { return std::string(reinterpret_cast<const char*>(packet->body.data()), head.body_bytes); };
  switch (head.kind) {
    case PacketKind::rank_lost:
      if (!is_lost_[head.word]) note_loss(static_cast<int>(head.word), text());
      break;
    case PacketKind::rank_ended:
      // Before its end: whoever finds that it has ended finds why.
      if (head.body_bytes > 0) record(from).note_failure(text());
      record(from).end();
      ++ended_;
      break;
    case PacketKind::waiting:
      hear_waiting(from, *packet);
      break;
    case PacketKind::quiet:
      hear_quiet(from, *packet);
      break;
    default:
      return mailboxes_.receive(from, std::move(packet));
  }
  link_.recycle(std::move(packet));
}

void MpiWorld::send_to_others(PacketKind kind, std::uint64_t word, std::string_view text) {
  for (int rank = 0; rank < size(); ++rank) {
    if (rank == link_.rank()) continue;
    PacketPointer packet = link_.packet();
    packet->head.kind = kind;
    packet->head.word = word;
    const std::size_t n = text.copy(reinterpret_cast<char*>(packet->body.data()), packet->body.size());
    packet->head.body_bytes = static_cast<std::uint32_t>(n);
    link_.send(rank, std::move(packet));
  }
}

// ---- Ranks that wait

void MpiWorld::announce(int rank, std::string_view text, const WaitState& wait_state) {
  record(rank).set_waiting(text, wait_state);
  record(rank).set_stamp(++stamps_);
  std::string body(sizeof(wait_state), '\0');
  std::memcpy(body.data(), &wait_state, sizeof(wait_state));
  send_to_others(PacketKind::waiting, stamps_, body.append(text));
}

void MpiWorld::withdraw(int rank) {
  record(rank).set_stamp(0);
  record(rank).set_waiting({});
  send_to_others(PacketKind::waiting, 0, {});
}

void MpiWorld::hear_waiting(int from, const Packet& packet) {
  RankRecord& sender = record(from);
  sender.set_stamp(0);
  heard_at_[static_cast<std::size_t>(from)] = ++heard_;
  if (packet.head.word == 0) return sender.set_waiting({});
  WaitState wait_state;
  std::memcpy(static_cast<void*>(&wait_state), packet.body.data(), sizeof(wait_state));
  sender.set_waiting({reinterpret_cast<const char*>(packet.body.data()) + sizeof(wait_state),
                      packet.head.body_bytes - sizeof(wait_state)},
                     wait_state);
  sender.set_stamp(packet.head.word);
}

void MpiWorld::tell_quiet(int rank) {
  if (records_.size() > most_seen) return;
  Stamps& mine = quiet_[static_cast<std::size_t>(rank)];
  Stamps seen(records_.size());
  for (std::size_t each = 0; each < seen.size(); ++each) {
    if (heard_at_[each] <= quiet_since_) seen[each] = records_[each].stamp();
  }
  if (seen == mine) return;
  mine = std::move(seen);
  send_to_others(PacketKind::quiet, 0, {reinterpret_cast<const char*>(mine.data()), mine.size() * sizeof(mine[0])});
}

void MpiWorld::hear_quiet(int from, const Packet& packet) {
  Stamps& theirs = quiet_[static_cast<std::size_t>(from)];
  theirs.resize(records_.size());
  std::memcpy(theirs.data(), packet.body.data(),
              std::min<std::size_t>(packet.head.body_bytes, theirs.size() * sizeof(theirs[0])));
}

bool MpiWorld::were_quiet(std::span<const Stand> stands) const {
  return std::all_of(stands.begin(), stands.end(), [&](const Stand& stand) {
    const Stamps& seen = quiet_[static_cast<std::size_t>(stand.rank)];
    return records_[static_cast<std::size_t>(stand.rank)].stamp() == stand.stamp && !seen.empty() &&
           std::all_of(stands.begin(), stands.end(),
                       [&](const Stand& other) { return seen[static_cast<std::size_t>(other.rank)] == other.stamp; });
  });
}

// ---- Failure, and the end

void MpiWorld::note_loss(int rank, const std::string& reason) {
  is_lost_[static_cast<std::size_t>(rank)] = true;
  record(rank).note_failure(reason);
  // Release: who counts it finds the reason.
  losses_.fetch_add(1, std::memory_order_release);
}

bool MpiWorld::all_others_are_gone() const {
  for (int rank = 0; rank < size(); ++rank) {
    const RankRecord& other = records_[static_cast<std::size_t>(rank)];
    if (rank != link_.rank() && !other.has_ended() && !other.has_failed()) return false;
  }
  return true;
}

/// Tells the user whose end this rank awaits. The first of those that have come to theirs tells it for all.
void MpiWorld::tell_unended(std::chrono::duration<double> waited) const {
  constexpr std::size_t most_told = 4;
  std::vector<int> awaited;
  for (int rank = 0; rank < size(); ++rank) {
    const bool has_ended = rank == link_.rank() || records_[static_cast<std::size_t>(rank)].has_ended();
    if (has_ended && rank < link_.rank()) return;
    if (!has_ended) awaited.push_back(rank);
  }
  std::string where;
  for (std::size_t k = 0; k < std::min(most_told, awaited.size()) && where_; ++k) {
    const std::string activity = where_(awaited[k]);
    if (!activity.empty()) where += fmt::format("; rank {} {}", awaited[k], activity);
  }
  tell_user("tutti: rank {} has come to its end and has waited {:.3g} s for {} to do so{}; the wait goes on\n",
            link_.rank(), waited.count(), list_of(awaited), where);
}

void MpiWorld::fail(int rank, const std::string& reason) {
  note_loss(rank, reason);
  send_to_others(PacketKind::rank_lost, static_cast<std::uint64_t>(rank), reason);
  if (rank != link_.rank()) return;
  WaitingTime waiting;
  while (!all_others_are_gone() && waiting.look() < last_words) {
    if (!link_.progress()) std::this_thread::sleep_for(nap);
  }
}

void MpiWorld::close() {
  // A child's copy comes to its end, too, and MPI is no child's.
  if (!origin_.is_this_process() || link_.closed()) return;
  // Others may wait to learn of calls that this rank has made before it ends. What it tells afterwards would reach
  // ranks that have ended MPI.
  mailboxes_.fall_silent();
  // All may not have heard what has come to this rank from the one that failed: so whoever hears of this end has heard
  // why.
  const std::optional<int> lost = losses() > 0 ? first_lost() : std::nullopt;
  if (lost && *lost != link_.rank())
    send_to_others(PacketKind::rank_lost, static_cast<std::uint64_t>(*lost), record(*lost).failure());
  send_to_others(PacketKind::rank_ended, 0, record(link_.rank()).failure());
  std::optional<WaitingTime> since_loss;
  std::optional<WaitingTime> since_all_are_gone;
  // Waits as MPI_Finalize() does if no rank has failed, for whatever the others still compute: a rank that ends says so
  // here or, as mpirun sees to, with all others.
  WaitingTime waiting;
  LateMoments late(late_after_);
  while (ended_ < size() - 1 || !link_.idle()) {
    if (!link_.progress()) std::this_thread::sleep_for(nap);
    const std::chrono::duration<double> waited = waiting.look();
    if (late.take(waited) && ended_ < size() - 1) tell_unended(waited);
    if (losses() > 0 && !since_loss) since_loss.emplace();
    if (since_loss && !since_all_are_gone && all_others_are_gone()) since_all_are_gone.emplace();
    const bool is_over = since_all_are_gone && since_all_are_gone->look() > grace_of_failed;
    if (is_over || (since_loss && since_loss->look() > grace)) link_.abort();
  }
  link_.close();
}

}  // namespace tutti::runtime
