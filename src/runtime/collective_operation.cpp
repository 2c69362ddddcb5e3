#include "runtime/collective_operation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace tutti::runtime {
namespace {

constexpr detail::Datatype count_type = detail::datatype_of<std::int64_t>();

}  // namespace

CollectiveOperation::CollectiveOperation(std::shared_ptr<Member> member, Invocation invocation)
    : Operation(std::move(member)),
      invocation_(std::move(invocation)),
      executor_(this->member().transport(), this->member().numbers()) {}

CollectiveOperation::~CollectiveOperation() { member().owner().scratch().give(std::move(scratch_)); }

void CollectiveOperation::arm() {
  number_ = member().take_number();
  phase_ = Phase::queued;
  entered_ = 0;
  differs_ = false;
}

bool CollectiveOperation::advance() {
  bool moved = false;
  while (active() && !member().group().failed() && advance_phase()) moved = true;
  return moved;
}

bool CollectiveOperation::advance_phase() {
  if (phase_ == Phase::queued) return enter();
  if (phase_ == Phase::entering) return all_have_entered();
  const bool moved = executor_.advance();
  if (!executor_.done()) return moved;
  if (phase_ == Phase::exchanging) {
    end_exchange();
  } else {
    end_run();
  }
  return true;
}

bool CollectiveOperation::enter() {
  if (!member().may_enter(number_)) return false;
  member().group().board().sign(member().rank(), number_, invocation_.signature);
  phase_ = Phase::entering;
  return true;
}

bool CollectiveOperation::all_have_entered() {
  Board& board = member().group().board();
  while (entered_ < member().size() && board.has_signed(entered_, number_)) {
    differs_ = differs_ || board.signature(entered_, number_).digest != invocation_.signature.digest;
    ++entered_;
  }
  if (entered_ < member().size()) return false;
  if (differs_) {
    member().group().fail(ErrorCode::mismatch, disagreement_so_far());
    return false;
  }
  if (!invocation_.own_counts.empty()) {
    begin_exchange();
  } else if (invocation_.recipe) {
    begin_run();
  } else {
    end_run();
  }
  return true;
}

void CollectiveOperation::begin_exchange() {
  const int p = member().size();
  const Problem problem{.collective = Collective::all_gather, .ranks = p, .count = 2 * std::int64_t{p}};
  exchange_ = member().recipes().find(problem, {}, count_type.size);
  all_counts_.resize(static_cast<std::size_t>(2 * p) * static_cast<std::size_t>(p));
  exchange_bindings_.element_size = count_type.size;
  exchange_bindings_.base = {reinterpret_cast<std::byte*>(invocation_.own_counts.data()),
                             reinterpret_cast<std::byte*>(all_counts_.data()),
                             scratch_for(*exchange_, count_type.size)};
  executor_.begin({&exchange_->program, &exchange_bindings_, &count_type, nullptr},
                  static_cast<int>(number_ % collective_lanes));
  phase_ = Phase::exchanging;
}

// Every rank has the counts of all, and so comes to the same verdict.
void CollectiveOperation::end_exchange() {
  const auto p = static_cast<std::size_t>(member().size());
  Problem problem = invocation_.problem;
  problem.counts.resize(p * p);
  for (std::size_t from = 0; from < p; ++from) {
    for (std::size_t to = 0; to < p; ++to) {
      const std::int64_t sent = all_counts_[from * 2 * p + to];
      const std::int64_t expected = all_counts_[to * 2 * p + p + from];
      problem.counts[from * p + to] = sent;
      if (sent == expected) continue;
      member().group().fail(ErrorCode::mismatch,
                            fmt::format("{}: rank {} sends {} elements to rank {}, which expects {}", describe(), from,
                                        sent, to, expected));
      return;
    }
  }
  invocation_.recipe = member().recipes().find(problem, invocation_.algorithm, invocation_.type.size);
  begin_run();
}

void CollectiveOperation::begin_run() {
  phase_ = Phase::running;
  invocation_.bindings.base[static_cast<std::size_t>(Buffer::scratch)] =
      scratch_for(*invocation_.recipe, invocation_.bindings.element_size);
  executor_.begin({&invocation_.recipe->program, &invocation_.bindings, &invocation_.type, &invocation_.op},
                  static_cast<int>(number_ % collective_lanes));
}

std::byte* CollectiveOperation::scratch_for(const Recipe& recipe, std::int64_t element_size) {
  const auto needed = static_cast<std::size_t>(recipe.program.scratch * element_size);
  if (scratch_.bytes < needed) {
    ScratchPool& pool = member().owner().scratch();
    pool.give(std::move(scratch_));
    scratch_ = pool.take(needed);
  }
  return scratch_.memory.get();
}

void CollectiveOperation::end_run() {
  if (invocation_.op.divide != nullptr) {
    const std::int64_t n = output_blocks(invocation_.problem, member().rank()).total();
    const Slice all{Buffer::output, 0, n};
    if (n > 0) invocation_.op.divide(invocation_.bindings.at(all), n, member().size());
  }
  member().leave(number_);
  finish();
}

std::string CollectiveOperation::disagreement_so_far() const {
  const Board& board = member().group().board();
  std::vector<int> ranks;
  std::vector<const Signature*> signatures;
  for (int rank = 0; rank < member().size(); ++rank) {
    if (!board.has_signed(rank, number_)) continue;
    ranks.push_back(rank);
    signatures.push_back(&board.signature(rank, number_));
  }
  const std::string text = disagreement(ranks, signatures);
  return text.empty() ? text : fmt::format("{} ({})", text, call_number());
}

std::vector<int> CollectiveOperation::absent() const {
  std::vector<int> ranks;
  for (int rank = entered_; rank < member().size(); ++rank) {
    if (!member().group().board().has_signed(rank, number_)) ranks.push_back(rank);
  }
  return ranks;
}

std::string CollectiveOperation::describe() const {
  return fmt::format("{} ({})", call_name(invocation_.signature), call_number());
}

std::string CollectiveOperation::call_number() const {
  return fmt::format("call {}{}", number_ + 1, member().group().suffix());
}

std::string CollectiveOperation::waits_for() const {
  switch (phase_) {
    case Phase::queued:
      return fmt::format("call {} to end before {}", number_ + 1 - collective_lanes, describe());
    case Phase::entering:
      return fmt::format("{} to enter {}", list_of(absent()), describe());
    case Phase::exchanging:
    case Phase::running:
      break;
  }
  return fmt::format("{} in {}", executor_.waits_for(), describe());
}

std::optional<Error> CollectiveOperation::lost() {
  if (phase_ != Phase::entering) return std::nullopt;
  for (int rank = entered_; rank < member().size(); ++rank) {
    // In this order: a rank that signed before it ended is seen to have signed.
    if (!member().has_ended(rank) || member().group().board().has_signed(rank, number_)) continue;
    if (auto error = explain()) return error;
    std::vector<int> others = absent();
    std::erase(others, rank);
    return Error(
        ErrorCode::peer_failed,
        fmt::format("rank {} ended without entering {}, which rank {} waits to do{}", rank, describe(), member().rank(),
                    others.empty() ? std::string() : fmt::format("; {} did not come either", list_of(others))));
  }
  return std::nullopt;
}

std::optional<Error> CollectiveOperation::explain() {
  if (phase_ != Phase::entering) return std::nullopt;
  const std::string text = disagreement_so_far();
  if (text.empty()) return std::nullopt;
  const std::vector<int> missing = absent();
  return Error(ErrorCode::mismatch,
               missing.empty() ? text : fmt::format("{}; {} did not come", text, list_of(missing)));
}

std::string_view CollectiveOperation::algorithm() const {
  return invocation_.recipe ? invocation_.recipe->algorithm->name : std::string_view();
}

}  // namespace tutti::runtime
