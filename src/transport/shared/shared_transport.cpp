#include "transport/shared/shared_transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include "base/waiting_time.hpp"

namespace tutti::runtime {
namespace {

/// What a peer that does no harm is given to end what it does, after a failure: any call of the system ends within.
constexpr std::chrono::seconds harmless_wait(1);
/// How a rank waits for that: looks that follow one another, then with naps between them.
constexpr int yields = 1000;
constexpr std::chrono::microseconds nap(200);

}  // namespace

SharedTransport::SharedTransport(const ControlSegment& control, int rank, std::vector<int> members,
                                 std::span<RankRecord> records, PeerMemory& memory, Leftovers& leftovers,
                                 Leftovers::Owner owner)
    : control_(control),
      rank_(rank),
      members_(std::move(members)),
      memory_(memory),
      leftovers_(leftovers),
      owner_(owner),
      holdings_(memory),
      alarm_(control_, records, members_),
      short_slots_(control_, rank_, memory_, holdings_, alarm_),
      cooperative_fold_(control_, rank_, members_, memory_, alarm_, timeout),
      copy_rings_(pairs(), memory_, holdings_, alarm_) {}

SharedTransport::~SharedTransport() {
  if (!origin_.is_this_process()) return;  // a child's copy: the rank still uses the block
  for (const auto& [pair, list] : lists_) memory_.free(list.memory);
  // Where ranks have failed others may be reading these, to say why.
  for (const List& list : counts_) {
    if (!failed()) memory_.free(list.memory);
  }
  leftovers_.leave(control_, holdings_.let_go(), owner_);
}

// ---- Calls

bool SharedTransport::may_enter(std::uint64_t number) {
  if (number < free_below_) return true;
  std::uint64_t least = number;
  for (int rank = 0; rank < control_.ranks() && least + collective_slots > number; ++rank) {
    // Acquire: this rank's reads from the call slot, of slots and of board entries, come before they are written again.
    if (rank != rank_) least = std::min(least, control_.board(rank).completed.load(std::memory_order_acquire));
  }
  if (least + collective_slots <= number) return false;
  compare_until(least);
  free_below_ = least + collective_slots;
  return !disputed_;
}

// All ranks have entered all collectives below `number`, and none can have entered one that overwrites their digests:
// that needs this rank to have completed a collective which it enters only after this comparison.
void SharedTransport::compare_until(std::uint64_t number) {
  const BoardLine& mine = control_.board(rank_);
  for (; compared_ < number && !disputed_; ++compared_) {
    const std::size_t at = compared_ % board_depth;
    for (int rank = 0; rank < control_.ranks(); ++rank) {
      if (control_.board(rank).digests[at] == mine.digests[at]) continue;
      disputed_ = compared_;
      return;
    }
  }
}

void SharedTransport::sign(std::uint64_t number, const Signature& signature, std::span<const std::int64_t> counts) {
  BoardLine& mine = control_.board(rank_);
  const std::size_t at = number % board_depth;
  // Programs repeat themselves: often what is to be written is there already.
  if (mine.digests[at] != signature.digest || signature.purpose != Purpose::collective) {
    mine.signatures[at] = signature;
    if (!counts.empty()) mine.signatures[at].key = keep_counts(at, counts);
  }
  mine.digests[at] = signature.digest;
  entered_ = number + 1;
  // Release: publishes the signature, acquired by has_signed() of every rank.
  mine.entered.store(entered_, std::memory_order_release);
  alarm_.ring_for_calls();
}

/// Where all ranks can read them; written again when the signature is, for the same reasons.
std::int64_t SharedTransport::keep_counts(std::size_t at, std::span<const std::int64_t> counts) {
  List& list = counts_[at];
  if (list.bytes < counts.size_bytes()) {
    memory_.free(list.memory);
    list = {};
    list = {memory_.allocate(counts.size_bytes()), counts.size_bytes()};
  }
  std::memcpy(list.memory, counts.data(), counts.size_bytes());
  return static_cast<std::int64_t>(memory_.address_of(list.memory));
}

std::vector<std::int64_t> SharedTransport::counts(int rank, std::uint64_t number) {
  const Signature& signed_with = signature(rank, number);
  if (signed_with.key == 0 || signed_with.purpose != Purpose::collective) return {};
  std::vector<std::int64_t> counts(static_cast<std::size_t>(control_.ranks()));
  std::memcpy(counts.data(), memory_.pointer_to(static_cast<std::uint64_t>(signed_with.key)),
              counts.size() * sizeof(std::int64_t));
  return counts;
}

bool SharedTransport::has_signed(int rank, std::uint64_t number) {
  // Acquire: the signature was written before; so was all that the signer completed.
  return control_.board(rank).entered.load(std::memory_order_acquire) > number;
}

const Signature& SharedTransport::signature(int rank, std::uint64_t number) {
  return control_.board(rank).signatures[number % board_depth];
}

// Told for several collectives at once, because each telling takes the line away from those who look at it: a broadcast
// of 8 bytes takes 230 ns a call if every call is told at once, and 90 ns like this.
void SharedTransport::complete(std::uint64_t number) {
  completed_ = number;
  // Relaxed: looked at by who has seen this rank's end, which comes after it.
  control_.board(rank_).finished.store(number, std::memory_order_relaxed);
  if (completed_ - told_completed_ >= collective_slots / 2) flush();
}

bool SharedTransport::has_completed(int rank, std::uint64_t number) {
  // Relaxed: for words alone.
  return (rank == rank_ ? completed_ : control_.board(rank).completed.load(std::memory_order_relaxed)) > number;
}

void SharedTransport::flush() {
  if (completed_ == told_completed_) return;
  told_completed_ = completed_;
  // Release: what this rank has read in the collectives below comes before others write there again.
  control_.board(rank_).completed.store(completed_, std::memory_order_release);
  alarm_.ring_for_calls();
}

bool SharedTransport::has_finished(int rank, std::uint64_t number) const {
  return control_.board(rank).finished.load(std::memory_order_relaxed) > number;
}

bool SharedTransport::settled() {
  for (int rank = 0; rank < control_.ranks(); ++rank) {
    if (entered_ > 0 && !has_signed(rank, entered_ - 1)) return false;
  }
  compare_until(entered_);
  return !disputed_;
}

void SharedTransport::tell(std::uint64_t number, std::uint64_t word) {
  BoardLine& mine = control_.board(rank_);
  mine.words[number % board_depth] = word;
  // Release: publishes the word, and what it stands for.
  mine.told[number % board_depth].store(number + 1, std::memory_order_release);
  alarm_.ring_for_calls();
}

std::optional<std::uint64_t> SharedTransport::told(int rank, std::uint64_t number) {
  const BoardLine& line = control_.board(rank);
  // Acquire: pairs with tell().
  if (line.told[number % board_depth].load(std::memory_order_acquire) != number + 1) return std::nullopt;
  return line.words[number % board_depth];
}

// ---- Messages

bool SharedTransport::is_private(const Outgoing& message) const {
  return std::any_of(message.slices.begin(), message.slices.end(), [&](const Slice& s) {
    return memory_.pointer_to(memory_.address_of(message.bindings->at(s))) == nullptr;
  });
}

Offer SharedTransport::post(const Route& route, const Outgoing& message) {
  MessageSlot& slot = pairs().take_slot_to(route.peer, route.call_slot);
  // Where numbers begin anew, the message before is whatever was posted last, which this rank knows itself.
  const std::uint64_t before = route.begins ? slot.posted.load(std::memory_order_relaxed) : route.previous;
  // Acquire: the receiver has read the message before, and the slot may be written.
  if (route.previous != 0 && slot.taken.load(std::memory_order_acquire) != before) return Offer::refused;
  if (message.may_buffer && message.bytes <= short_slots_.most_bytes()) {
    short_slots_.make_room(route.peer, message.bytes);
    short_slots_.put(route, message);
    return Offer::delivered;
  }
  slot.digest = message.digest;
  slot.bytes = message.bytes;
  tell_type(slot, message);
  const int receiver = members_[static_cast<std::size_t>(route.peer)];
  const bool streams = is_private(message) && (!memory_.is_reached_by(receiver) || copy_rings_.has_ring(message));
  if (streams) {
    copy_rings_.begin(slot, route, message);
  } else {
    tell_stretches(slot, route, message);
  }
  // Release: publishes the message, and all that this rank has written into the memory that it describes.
  slot.posted.store(route.number, std::memory_order_release);
  alarm_.ring(route.peer);
  if (!streams) return Offer::offered;
  copy_rings_.push(route);
  return copy_rings_.passed(route) ? Offer::delivered : Offer::offered;
}

void SharedTransport::tell_type(MessageSlot& slot, const Outgoing& message) {
  if (message.type_name.empty()) return;
  const ShortName name(message.type_name);
  std::memcpy(slot.payload.data() + MessageSlot::element_at, &message.bindings->element_size, sizeof(std::int64_t));
  std::memcpy(slot.payload.data() + MessageSlot::name_at, &name, sizeof(name));
  std::memcpy(slot.payload.data() + MessageSlot::tag_at, &message.tag, sizeof(message.tag));
}

void SharedTransport::tell_stretches(MessageSlot& slot, const Route& route, const Outgoing& message) {
  const std::size_t n = message.slices.size();
  const bool fits = n <= MessageSlot::most_inside;
  slot.packing = fits ? Packing::in_place : Packing::listed;
  slot.stretches = static_cast<std::uint32_t>(n);
  std::byte* to = slot.payload.data();
  if (!fits) {
    to = list_for(route, n * sizeof(TellStretch));
    const std::uint64_t address = memory_.address_of(to);
    std::memcpy(slot.payload.data(), &address, sizeof(address));
  }
  for (const Slice& slice : message.slices) {
    const TellStretch told{memory_.address_of(message.bindings->at(slice)),
                           slice.count * message.bindings->element_size};
    std::memcpy(to, &told, sizeof(told));
    to += sizeof(told);
  }
}

bool SharedTransport::delivered(const Route& route) {
  MessageSlot& slot = outgoing(route);
  if (copy_rings_.push(route)) note_part();
  if (copy_rings_.passed(route)) return true;
  // Acquire: the receiver's reads are over before this rank writes the memory again. Later messages may have been
  // taken since.
  if (slot.taken.load(std::memory_order_acquire) < route.number) return false;
  copy_rings_.end(route);
  return true;
}

std::byte* SharedTransport::list_for(const Route& route, std::size_t bytes) {
  List& list = lists_[{route.peer, route.call_slot}];
  if (list.bytes < bytes) {
    memory_.free(list.memory);
    list = {};
    list = {memory_.allocate(bytes), bytes};
  }
  return list.memory;
}

Stretch SharedTransport::stretch_of(const TellStretch& told, int rank) const {
  if (std::byte* const pointer = memory_.pointer_to(told.address)) return Stretch::of(pointer, told.bytes);
  return {told.address, told.bytes, rank, false};
}

bool SharedTransport::arrived(const Route& route, std::span<std::byte>, Arrival& arrival) {
  const MessageSlot* const there = pairs().slot_from(route.peer, route.call_slot);
  // Acquire: pairs with the release in post().
  if (there == nullptr || there->posted.load(std::memory_order_acquire) != route.number) return false;
  const MessageSlot& slot = *there;
  arrival.digest = slot.digest;
  arrival.bytes = slot.bytes;
  arrival.in_place = slot.packing == Packing::in_place || slot.packing == Packing::listed;
  arrival.in_parts = slot.packing == Packing::streamed;
  arrival.stretches.clear();
  if (const std::byte* const bytes = bytes_of(route, slot)) {
    arrival.stretches.push_back(Stretch::of(bytes, slot.bytes));
  } else {
    std::memcpy(&arrival.element_size, slot.payload.data() + MessageSlot::element_at, sizeof(std::int64_t));
    arrival.type_name = reinterpret_cast<const char*>(slot.payload.data() + MessageSlot::name_at);
    std::memcpy(&arrival.tag, slot.payload.data() + MessageSlot::tag_at, sizeof(arrival.tag));
    if (!arrival.in_parts) hear_stretches(slot, route.peer, arrival);
  }
  return true;
}

/// The bytes of a short message that has come; null for one of another kind.
const std::byte* SharedTransport::bytes_of(const Route& route, const MessageSlot& slot) {
  if (slot.packing == Packing::in_cell) return pairs().cell_from(route.peer, route.call_slot);
  return slot.packing == Packing::inside ? slot.payload.data() : nullptr;
}

void SharedTransport::hear_stretches(const MessageSlot& slot, int peer, Arrival& arrival) const {
  const std::byte* from = slot.payload.data();
  if (slot.packing == Packing::listed) {
    std::uint64_t address = 0;
    std::memcpy(&address, from, sizeof(address));
    from = memory_.pointer_to(address);
  }
  for (std::uint32_t k = 0; k < slot.stretches; ++k, from += sizeof(TellStretch)) {
    TellStretch told{};
    std::memcpy(&told, from, sizeof(told));
    arrival.stretches.push_back(stretch_of(told, peer));
  }
}

// ---- Memory of others

bool SharedTransport::begin_reading() {
  std::atomic<std::uint64_t>& mark = control_.mark(rank_).count;
  // Sequentially consistent, this store and the load after it: see "Withdrawal" above.
  mark.store(mark.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
  if (control_.header().closed.load(std::memory_order_seq_cst) == 0) return true;
  end_reading();
  return false;
}

void SharedTransport::end_reading() noexcept {
  std::atomic<std::uint64_t>& mark = control_.mark(rank_).count;
  // Release: the reads are over before a peer that withdraws sees the mark gone.
  mark.store(mark.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

bool SharedTransport::carry_out(const Fold& fold, const Combination& how, int call_slot) {
  // Whether the communicator has failed is asked afterwards: see "Withdrawal".
  if (cooperative_fold_.carry_out(fold, how, call_slot)) return !failed();
  if (const auto trouble = cooperative_fold_.take_trouble()) {
    fail(trouble->code(), trouble->what());
    return false;
  }
  if (const auto refusal = memory_.take_refusal()) refuse(*refusal, fold);
  return false;
}

void SharedTransport::refuse(const Refusal& refusal, const Fold& fold) const {
  const auto found = std::find(members_.begin(), members_.end(), refusal.rank);
  const auto owner = static_cast<int>(found - members_.begin());
  // What was refused may be a part of the buffer.
  std::uint64_t address = refusal.address;
  auto bytes = static_cast<std::int64_t>(refusal.bytes);
  for (const Stretch& each : fold.operands) {
    const bool holds = !each.here && each.rank == owner && address >= each.address &&
                       address - each.address < static_cast<std::uint64_t>(each.bytes);
    if (!holds) continue;
    address = each.address;
    bytes = each.bytes;
    break;
  }
  const bool is_fault = refusal.error == EFAULT;
  throw Unreachable(
      is_fault ? ErrorCode::invalid_argument : ErrorCode::unsupported,
      fmt::format("rank {} cannot {} {} bytes at {:#x} of rank {}: {} ({})", rank_, refusal.writes ? "write" : "read",
                  bytes, address, owner, std::generic_category().message(refusal.error),
                  is_fault ? "the buffer must stay as it is until the call has ended"
                           : "what a process may do has changed since the ranks joined: set TUTTI_PEER_READS=0"));
}

void SharedTransport::help(int peer, int call_slot, const Combination& how) {
  // Relaxed: a first look, which spares the marks; CooperativeFold::help looks again.
  if (control_.fold_job(peer, call_slot).open.load(std::memory_order_relaxed) == 0 || !begin_reading()) return;
  cooperative_fold_.help(peer, call_slot, how);
  memory_.take_refusal();  // who needs the memory, and not who helps, says that it cannot be reached
  end_reading();
}

// ---- Failure

void SharedTransport::fail(ErrorCode code, const std::string& message) {
  ErrorRecord& record = control_.error(rank_);
  if (failed() || record.taken.exchange(true, std::memory_order_relaxed)) return;
  record.code = code;
  const std::size_t n = std::min(message.size(), record.text.size() - 1);
  std::copy_n(message.begin(), n, record.text.begin());
  std::uint32_t open = 0;
  // Sequentially consistent: see "Withdrawal". It also releases the record.
  control_.header().closed.compare_exchange_strong(open, static_cast<std::uint32_t>(rank_) + 1,
                                                   std::memory_order_seq_cst);
  alarm_.ring_for_failure();
}

Error SharedTransport::error() const {
  // Acquire: pairs with fail(), whoever called it.
  const std::uint32_t closed = control_.header().closed.load(std::memory_order_acquire);
  const ErrorRecord& record = control_.error(static_cast<int>(closed) - 1);
  return {record.code, record.text.data()};
}

void SharedTransport::withdraw() noexcept {
  // Nobody begins to read any more, so that one wait is enough for all operations.
  if (std::exchange(withdrawn_, true)) return;
  cooperative_fold_.shut_gate();
  for (int peer = 0; peer < control_.ranks(); ++peer) {
    if (peer != rank_) wait_for_reader(peer);
  }
}

// Its error ends the process, because withdraw() lets none pass: see "Withdrawal".
void SharedTransport::wait_for_reader(int peer) const {
  const std::atomic<std::uint64_t>& mark = control_.mark(peer).count;
  // Sequentially consistent: comes after the store to `closed`. It also acquires the end of the peer's reads.
  const std::uint64_t seen = mark.load(std::memory_order_seq_cst);
  if (seen % 2 == 0) return;
  WaitingTime waiting;
  // Acquire: the peer's reads are over.
  for (int looks = 0; mark.load(std::memory_order_acquire) == seen; ++looks) {
    if (memory_.ended(members_[static_cast<std::size_t>(peer)])) return;
    memory_.watch();
    const WaitingTime::Duration waited = waiting.look();
    const bool writes = cooperative_fold_.may_be_written_by(peer);
    const bool may_harm = writes || memory_.is_common();
    if (!may_harm && waited >= std::min<std::chrono::duration<double>>(timeout, harmless_wait)) return;
    if (waited >= timeout) {
      throw Error(
          ErrorCode::timeout,
          fmt::format("rank {} cannot leave its failed call ({}), because rank {} has been {} its memory for {:g} s",
                      rank_, error().what(), peer, writes ? "writing into" : "reading", timeout.count()));
    }
    if (looks < yields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(nap);
    }
  }
}

}  // namespace tutti::runtime
