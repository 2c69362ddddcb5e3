#include "tutti/join.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <fstream>
#include <optional>
#include <utility>

#include "base/check.hpp"
#include "base/system/interruption.hpp"
#include "runtime/agreed.hpp"
#include "runtime/first_reporter.hpp"
#include "runtime/joined_rank.hpp"
#include "runtime/settings.hpp"
#include "transport/late_after.hpp"
#include "transport/processes/segment.hpp"

namespace tutti {
namespace {

using namespace runtime;

/// Word of a rank in the first exchange: the machine that it runs on, and from rank 0 its invitation or why there is
/// none. In the second: empty, or why it could not join.
struct FirstWord {
  std::string machine;
  Invitation invitation;
  std::string refusal;
};

/// A name of this start of this machine: equal in every container of it, and another one on each other machine.
std::string this_machine() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string name;
  std::getline(file, name);
  return name;
}

std::string bytes_of(const FirstWord& word) {
  std::string bytes(sizeof(Invitation), '\0');
  std::memcpy(bytes.data(), &word.invitation, sizeof(Invitation));
  return bytes + word.machine + '\n' + word.refusal;
}

FirstWord first_word_in(const std::string& bytes) {
  FirstWord word;
  const std::size_t end = bytes.find('\n', std::min(sizeof(Invitation), bytes.size()));
  require(end != std::string::npos, "join(): the exchange returned {} bytes that no rank of this tutti has given",
          bytes.size());
  std::memcpy(&word.invitation, bytes.data(), sizeof(Invitation));
  word.machine = bytes.substr(sizeof(Invitation), end - sizeof(Invitation));
  word.refusal = bytes.substr(end + 1);
  return word;
}

std::vector<std::string> exchanged(const Exchange& exchange, int size, const std::string& mine) {
  std::vector<std::string> words = exchange(mine);
  require(words.size() == static_cast<std::size_t>(size),
          "join(): the exchange of {} ranks returned {} texts: it returns one of each rank, by rank", size,
          words.size());
  return words;
}

/// Calls the step; returns why it failed, or nothing.
template <typename Step>
std::string refusal_of(const Step& step) {
  try {
    step();
    return {};
  } catch (...) {
    return text_of(std::current_exception());
  }
}

/// The segment that rank 0 makes, joined by all, or an error on all of them.
Segment common_segment(int rank, int size, const Exchange& exchange) {
  std::optional<Segment> segment;
  FirstWord mine{.machine = this_machine()};
  if (rank == 0) {
    mine.refusal = refusal_of([&] { mine.invitation = segment.emplace(Segment::create(size)).invitation(); });
  }
  const std::vector<std::string> told = exchanged(exchange, size, bytes_of(mine));
  const FirstWord first = first_word_in(told.front());
  for (int other = 1; other < size; ++other) {
    if (first_word_in(told[static_cast<std::size_t>(other)]).machine == first.machine) continue;
    fail(ErrorCode::unsupported,
         "join(): ranks 0 and {} run on two machines: start the program with mpirun, where world() joins them", other);
  }
  if (!first.refusal.empty()) fail(ErrorCode::unsupported, "join(): rank 0 cannot make the segment: {}", first.refusal);
  const std::string refusal = refusal_of([&] {
    if (!segment) segment.emplace(Segment::invited(first.invitation));
    segment->join(rank, rank == 0 ? propose() : Proposal());
  });
  const std::vector<std::string> refusals = exchanged(exchange, size, refusal);
  for (int other = 0; other < size; ++other) {
    const std::string& cause = refusals[static_cast<std::size_t>(other)];
    if (!cause.empty()) fail(ErrorCode::invalid_argument, "join(): rank {} cannot join: {}", other, cause);
  }
  return std::move(*segment);
}

}  // namespace

JoinedWorld::JoinedWorld(std::unique_ptr<JoinedRank> rank) : rank_(std::move(rank)) {}
JoinedWorld::JoinedWorld(JoinedWorld&&) noexcept = default;
JoinedWorld& JoinedWorld::operator=(JoinedWorld&&) noexcept = default;

JoinedWorld::~JoinedWorld() {
  if (rank_ == nullptr) return;
  const std::string call = rank_->engine().outstanding();
  if (!call.empty()) rank_->engine().fail("it left the world before its " + call + " was done");
  rank_->close();
}

Communicator& JoinedWorld::communicator() {
  require(rank_ != nullptr, "communicator() of a world that this rank has left: join() again");
  return rank_->communicator();
}

void JoinedWorld::leave() {
  if (const std::unique_ptr<JoinedRank> rank = std::move(rank_)) rank->finish_and_close();
}

void JoinedWorld::abandon(const std::string& why) {
  if (rank_ != nullptr) rank_->engine().fail(why);
}

JoinedWorld join(int rank, int size, const Exchange& exchange, const RunOptions& options) {
  require(size >= 1, "join(): a world has at least one rank, not {}", size);
  require(rank >= 0 && rank < size, "join(): rank {} is none of the {} ranks: they are numbered from 0", rank, size);
  (void)timeout_of(options);
  (void)late_after();
  allow_ranks_to_read();
  auto world = std::make_shared<ProcessWorld>(common_segment(rank, size, exchange));
  return JoinedWorld(std::make_unique<JoinedRank>(Joined{std::move(world), rank}, options));
}

void interrupt_waits_by(std::string (*look)()) { interruption.store(look, std::memory_order_release); }

}  // namespace tutti
