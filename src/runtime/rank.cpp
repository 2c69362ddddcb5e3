#include "runtime/rank.hpp"

#include <fmt/format.h>

#include "runtime/member.hpp"
#include "runtime/patience.hpp"

namespace tutti::runtime {
namespace {

/// "no progress for 30 s: rank 0 waits for …; rank 3 waits for …".
std::string standstill(const Operation& operation, const World& world) {
  const Member& member = operation.member();
  const Group& group = member.group();
  std::string text = fmt::format("no progress for {:g} s: rank {} waits for {}", member.timeout.count(), member.rank(),
                                 operation.waits_for());
  for (int rank = 0; rank < group.size(); ++rank) {
    const std::string waiting = rank == member.rank() ? std::string() : world.waiting(group.member(rank));
    if (!waiting.empty()) text += fmt::format("; rank {} waits for {}", rank, waiting);
  }
  return text;
}

/// Tells the other ranks what this one waits for, while it does.
class Announcement {
 public:
  Announcement(World& world, int rank) : world_(world), rank_(rank) {}
  Announcement(const Announcement&) = delete;
  Announcement& operator=(const Announcement&) = delete;
  ~Announcement() { withdraw(); }

  void make(const Operation& operation) {
    if (!made_) world_.set_waiting(rank_, operation.waits_for());
    made_ = true;
  }
  void withdraw() {
    if (made_) world_.set_waiting(rank_, {});
    made_ = false;
  }

 private:
  World& world_;
  int rank_;
  bool made_ = false;
};

}  // namespace

void Rank::begin(const std::shared_ptr<Operation>& operation) {
  if (operation->member().group().failed()) throw operation->member().group().error();
  operation->activate();
  active_.push_back(operation);
  progress();
}

bool Rank::progress() {
  bool moved = false;
  std::erase_if(active_, [&](const std::shared_ptr<Operation>& operation) {
    if (operation->active() && operation->step()) moved = true;
    if (operation->active() && operation->member().group().failed()) operation->fail();
    return !operation->active();
  });
  return moved;
}

void Rank::wait(Operation& operation) {
  Patience patience(world_->size());
  Announcement announcement(*world_, number_);
  Clock::time_point since = Clock::now();
  std::uint64_t moves = operation.moves();
  while (operation.active()) {
    if (progress()) {
      patience.reset();
      announcement.withdraw();
    } else {
      patience.pause();
    }
    if (operation.moves() != moves) {
      moves = operation.moves();
      since = Clock::now();
    } else if (patience.is_thoughtful()) {
      inspect(operation, since);
      if (patience.naps() && operation.active()) announcement.make(operation);
    }
  }
  operation.rethrow();
}

bool Rank::test(Operation& operation) {
  const std::uint64_t moves = operation.moves();
  progress();
  if (operation.active()) {
    const Clock::time_point now = Clock::now();
    if (operation.moves() != moves || !operation.idle_since) operation.idle_since = now;
    inspect(operation, *operation.idle_since);
  }
  operation.rethrow();
  return !operation.active();
}

void Rank::inspect(Operation& operation, Clock::time_point since) {
  for (const std::shared_ptr<Operation>& each : active_) {
    if (!each->active()) continue;
    if (const auto error = each->lost()) each->member().group().fail(error->code(), error->what());
  }
  if (!operation.active() || Clock::now() - since < operation.member().timeout) return;
  Group& group = operation.member().group();
  if (const auto error = operation.explain()) {
    group.fail(error->code(), error->what());
  } else {
    group.fail(ErrorCode::timeout, standstill(operation, *world_));
  }
}

void Rank::wait_all(const Member& member) {
  std::vector<std::shared_ptr<Operation>> mine;
  for (const auto& operation : active_) {
    if (&operation->member() == &member) mine.push_back(operation);
  }
  for (const auto& operation : mine) wait(*operation);
}

void Rank::clear() {
  for (const auto& operation : active_) {
    if (operation->active()) operation->abandon();
  }
  active_.clear();
}

void Rank::finish() {
  progress();
  if (active_.empty()) return;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("rank {} returned without waiting for its {}: its buffers may be gone", number_,
                          active_.front()->describe()));
}

}  // namespace tutti::runtime
