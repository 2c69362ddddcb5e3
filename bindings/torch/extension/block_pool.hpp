/// @file
/// Pool of blocks of the heap that ranks share, for tensors: what one step frees the next one takes again, pages and all.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>

namespace tutti::torch_backend {

/// Counts of a pool, in bytes and calls since it was made.
struct PoolStatistics {
  std::size_t used_bytes = 0;      ///< bytes of blocks that tensors have
  std::size_t peak_bytes = 0;      ///< most of them at once
  std::size_t idle_bytes = 0;      ///< bytes of blocks that are kept for the next tensors
  std::size_t allocations = 0;     ///< blocks that were asked for
  std::size_t reuses = 0;          ///< of these, blocks that were kept
  std::size_t refusals = 0;        ///< of these, blocks that the heap did not have: the tensor's memory is private
  std::size_t returned_bytes = 0;  ///< bytes of idle blocks that were given back to the system
};

/// Source of a pool's memory.
struct BlockSource {
  std::function<void*(std::size_t)> allocate;  ///< null where there is none
  std::function<void(void*)> free;
  std::function<bool()> is_scarce;  ///< whether the machine, or this process's control group, is short of memory
};

/// Blocks by size, eight sizes between two powers of two. Idle blocks keep their pages, up to 256 MiB or what is in
/// use, whichever is more; beyond that the longest idle one goes back. All of them go back where the source has no
/// other memory, before a fork, and where memory is scarce, which is looked at four times a second while blocks come
/// and go. Thread-safe.
class BlockPool {
 public:
  static constexpr std::size_t most_idle = std::size_t{256} << 20;
  static constexpr std::chrono::milliseconds look_interval{250};

  explicit BlockPool(BlockSource source) : source_(std::move(source)) {}

  /// Returns a block of at least `bytes` bytes with any content; null where the source has none.
  void* take(std::size_t bytes);
  /// Takes a block back; false if it is none of the pool's.
  bool give_back(void* block);
  /// Gives all idle blocks back to the source.
  void release_idle();
  PoolStatistics statistics() const;

  /// For fork(): between these no thread changes the pool, and nothing in it is idle.
  void prepare_fork();
  void finish_fork() { mutex_.unlock(); }

  /// The size of the blocks that serve so many bytes: at most an eighth more.
  static std::size_t size_class(std::size_t bytes);

 private:
  using Clock = std::chrono::steady_clock;
  struct Idle {
    void* block;
    std::size_t bytes;
  };
  using IdleList = std::list<Idle>;  // longest idle first

  void* take_idle(std::size_t bytes);
  void release_oldest();
  void release_down_to(std::size_t bytes);
  bool is_scarce();

  BlockSource source_;
  mutable std::mutex mutex_;  // guards what follows
  std::unordered_map<void*, std::size_t> used_;
  IdleList idle_;
  std::map<std::size_t, std::deque<IdleList::iterator>> by_size_;
  PoolStatistics counts_;
  Clock::time_point next_look_;
};

}  // namespace tutti::torch_backend
