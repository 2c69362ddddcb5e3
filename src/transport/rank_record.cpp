#include "transport/rank_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tutti::runtime {
namespace {

template <std::size_t Size>
std::string text_in(const std::array<char, Size>& characters) {
  return {characters.begin(), std::find(characters.begin(), characters.end(), '\0')};
}

}  // namespace

std::int64_t RankRecord::join(std::int64_t process, const ProcessMark& mark, const heap::ArenaDescription& arena) {
  std::int64_t before = 0;
  // Relaxed: only one may win.
  if (!claimant_.compare_exchange_strong(before, process, std::memory_order_relaxed)) return before;
  mark_ = mark;
  arena_ = arena;
  // Release: publishes the mark and the arena.
  process_.store(process, std::memory_order_release);
  // A rank that has been declared dead meanwhile does not join: that is final.
  State absent = State::absent;
  state_.compare_exchange_strong(absent, State::joined, std::memory_order_acq_rel);
  return 0;
}

void RankRecord::write_failure(std::string_view text) {
  const std::size_t length = std::min(text.size(), longest_failure);
  std::copy_n(text.data(), length, failure_.data());
  failure_[length] = '\0';
  phase_.store(Phase::written, std::memory_order_release);
}

std::string RankRecord::exited_with(int status) { return fmt::format("exited with status {}", status); }

/// Writes the text where nobody has begun to say why the rank ends; says whether that is so.
bool RankRecord::note_first(std::string_view text, Phase writing) {
  Phase none = Phase::none;
  if (!phase_.compare_exchange_strong(none, writing, std::memory_order_acq_rel)) return false;
  write_failure(text);
  return true;
}

void RankRecord::note_death(std::string_view text) {
  // The rank, which is dead, writes no more.
  if (!note_first(text, Phase::others_write) && phase_.load(std::memory_order_acquire) == Phase::rank_writes)
    write_failure(text);
}

std::string RankRecord::failure() const {
  if (phase_.load(std::memory_order_acquire) != Phase::written) return {};
  return text_in(failure_);
}

void RankRecord::set_waiting(std::string_view text, const WaitState& wait_state) {
  std::array<char, longest_waiting + 1> characters = {};
  std::copy_n(text.data(), std::min(text.size(), longest_waiting), characters.data());
  std::array<std::uint64_t, words> copy = {};
  std::memcpy(copy.data(), characters.data(), sizeof(characters));
  std::memcpy(copy.data() + text_words, &wait_state, sizeof(wait_state));
  const std::uint64_t version = waiting_version_.load(std::memory_order_relaxed);
  waiting_version_.store(version + 1, std::memory_order_relaxed);  // before the words, which are releases
  for (std::size_t k = 0; k < words; ++k) waiting_[k].store(copy[k], std::memory_order_release);
  waiting_version_.store(version + 2, std::memory_order_release);
}

bool RankRecord::read_waiting(std::array<std::uint64_t, words>& copy) const {
  constexpr int attempts = 3;  // the rank may have died in the midst of a change
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::uint64_t version = waiting_version_.load(std::memory_order_acquire);
    for (std::size_t k = 0; k < words; ++k) copy[k] = waiting_[k].load(std::memory_order_acquire);
    if (version % 2 == 0 && waiting_version_.load(std::memory_order_relaxed) == version) return true;
  }
  return false;
}

std::string RankRecord::waiting() const {
  std::array<std::uint64_t, words> copy = {};
  if (!read_waiting(copy)) return {};
  std::array<char, longest_waiting + 1> characters = {};
  std::memcpy(characters.data(), copy.data(), sizeof(characters));
  return text_in(characters);
}

std::uint64_t RankRecord::wait_state(WaitState& wait_state) const {
  std::array<std::uint64_t, words> copy = {};
  const std::uint64_t before = stamp();
  if (before == 0 || !read_waiting(copy) || stamp() != before) return 0;
  std::memcpy(static_cast<void*>(&wait_state), copy.data() + text_words, sizeof(wait_state));
  return before;
}

void end_rank(std::span<RankRecord> records, int rank) {
  // Release: who reads this moment sees all that the rank has posted. Before the end, which releases it: who finds the
  // rank ended reads this moment or a later one.
  records[0].clock().fetch_add(1, std::memory_order_acq_rel);
  records[static_cast<std::size_t>(rank)].end();
  // Release: who finds the count finds the end.
  records[0].ends().fetch_add(1, std::memory_order_release);
}

}  // namespace tutti::runtime
