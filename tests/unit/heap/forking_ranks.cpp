/// @file
/// Ranks that fork in the middle of everything: `forking_ranks FORKS`. Collectives are under way, and threads allocate.
/// Every byte is compared in the parent, in its child and now and then in a child of that.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <thread>
#include <vector>

#include "tutti/tutti.hpp"

namespace {

using Word = std::uint64_t;
using Words = std::vector<Word>;
using Random = std::mt19937_64;

void expect(bool is_right, const char* words) {
  if (is_right) return;
  std::fprintf(stderr, "wrong: %s\n", words);
  std::fflush(stderr);
  _exit(1);
}

Word word(Word filling, std::size_t k) { return filling * 0x9e3779b97f4a7c15 + k; }

Words filled(std::size_t n, Word filling) {
  Words words(n);
  for (std::size_t k = 0; k < n; ++k) words[k] = word(filling, k);
  return words;
}

void fill(Words& words, Word filling) {
  for (std::size_t k = 0; k < words.size(); ++k) words[k] = word(filling, k);
}

bool hold(const Words& words, Word filling) {
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k] != word(filling, k)) return false;
  }
  return true;
}

bool hold(const std::vector<Words>& blocks, Word filling) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const Words& words) { return hold(words, filling); });
}

void fill(std::vector<Words>& blocks, Word filling) {
  for (Words& words : blocks) fill(words, filling);
}

/// Calls that a rank has under way: each word of its contributions tells its rank, and the round.
class Calls {
 public:
  Calls(tutti::Communicator& comm, std::size_t n, Word round)
      : p_(static_cast<std::size_t>(comm.size())),
        rank_(static_cast<std::size_t>(comm.rank())),
        round_(round),
        mine_(filled(n, filling_of(rank_))),
        to_all_(filled(n * p_, filling_of(rank_))),
        in_place_(mine_),
        sums_(n),
        all_(n * p_),
        from_all_(n * p_),
        handles_{comm.all_reduce_async(std::span<const Word>(mine_), sums_, tutti::sum),
                 comm.all_gather_async(std::span<const Word>(mine_), all_),
                 comm.all_reduce_async(std::span<Word>(in_place_), tutti::sum),
                 comm.all_to_all_async(std::span<const Word>(to_all_), from_all_)} {}

  bool has_inputs() const { return hold(mine_, filling_of(rank_)) && hold(to_all_, filling_of(rank_)); }

  /// In a child: what peers and the parent still write is not written here.
  void overwrite(Word filling) {
    for (Words* words : all_of_them()) fill(*words, filling);
  }
  bool are_overwritten(Word filling) {
    const auto them = all_of_them();
    return std::all_of(them.begin(), them.end(), [&](const Words* words) { return hold(*words, filling); });
  }

  void finish() {
    for (tutti::Handle& handle : handles_) handle.wait();
    const std::size_t n = mine_.size();
    for (std::size_t k = 0; k < n; ++k) {
      Word sum = 0;
      for (std::size_t r = 0; r < p_; ++r) {
        sum += word(filling_of(r), k);
        expect(all_[r * n + k] == word(filling_of(r), k), "an all-gather");
        expect(from_all_[r * n + k] == word(filling_of(r), rank_ * n + k), "an all-to-all");
      }
      expect(sums_[k] == sum && in_place_[k] == sum, "an all-reduce");
    }
    expect(has_inputs(), "a contribution has changed");
  }

 private:
  Word filling_of(std::size_t rank) const { return round_ * 100 + rank; }
  std::vector<Words*> all_of_them() { return {&mine_, &to_all_, &in_place_, &sums_, &all_, &from_all_}; }

  std::size_t p_;
  std::size_t rank_;
  Word round_;
  Words mine_, to_all_, in_place_, sums_, all_, from_all_;
  std::array<tutti::Handle, 4> handles_;
};

void expect_success(pid_t child) {
  int status = -1;
  expect(child > 0 && waitpid(child, &status, 0) == child && status == 0, "a child has found something wrong");
}

/// Ends the process.
void be_a_child(std::vector<Words>& quiet, Calls& calls, Word filling, bool has_child) {
  expect(hold(quiet, filling), "a child has other bytes than its parent had");
  expect(calls.has_inputs(), "a child has other contributions than its parent had");
  fill(quiet, filling + 1);
  calls.overwrite(filling + 2);
  Words own = filled(50'000, filling);
  if (has_child) {
    const pid_t child = fork();
    if (child == 0) {
      expect(hold(quiet, filling + 1) && hold(own, filling), "a child's child has other bytes");
      fill(quiet, 0);
      fill(own, 0);
      _exit(0);
    }
    expect_success(child);
  }
  expect(hold(own, filling) && hold(quiet, filling + 1), "somebody has written into a child's memory");
  expect(calls.are_overwritten(filling + 2), "a collective has written into a child's memory");
  _exit(0);
}

/// Until `is_over`; blocks of all sizes around those that are shared.
void allocate(const std::atomic<bool>& is_over, Word seed) {
  Random random(seed);
  std::vector<Words> blocks;
  while (!is_over) {
    blocks.push_back(filled(1 + random() % 12'000, seed));
    if (blocks.size() < 8) continue;
    std::swap(blocks[random() % blocks.size()], blocks.back());
    expect(hold(blocks.back(), seed), "a thread's block was overwritten");
    blocks.pop_back();
    std::this_thread::yield();
  }
}

}  // namespace

int main(int count, char** words) {
  const int forks = count > 1 ? std::atoi(words[1]) : 100;
  tutti::Communicator& comm = tutti::world();
  std::atomic<bool> is_over = false;
  std::thread thread([&] { allocate(is_over, static_cast<Word>(comm.rank())); });
  Random random(5);
  std::vector<Words> quiet;
  for (const std::size_t n : {10UL, 2047UL, 2048UL, 8192UL, 9000UL, 40'000UL}) quiet.emplace_back(n);
  for (int k = 0; k < forks; ++k) {
    const Word filling = 1000 * static_cast<Word>(k + 1);
    fill(quiet, filling);
    Calls calls(comm, 1 + random() % 20'000, static_cast<Word>(k));
    const pid_t child = fork();
    if (child == 0) be_a_child(quiet, calls, filling, k % 16 == 0);
    fill(quiet, filling + 3);
    calls.finish();
    expect_success(child);
    expect(hold(quiet, filling + 3), "a child has written into its parent's memory");
  }
  is_over = true;
  thread.join();
  comm.barrier();
  if (comm.rank() == 0) std::printf("as expected\n");
}
