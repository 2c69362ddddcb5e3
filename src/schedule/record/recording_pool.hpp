/// @file
/// Pool of scratch memory, reused where many choices are priced.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace tutti {

template <typename Memory>
class Pooled;

/// Pool of memory for recordings: what a Pooled gives back, the next one of its type takes. Recording a rank after the
/// other needs the same lists again and again. For one thread at a time.
class RecordingPool {
 public:
  RecordingPool() = default;
  RecordingPool(const RecordingPool&) = delete;
  RecordingPool& operator=(const RecordingPool&) = delete;

 private:
  template <typename Memory>
  friend class Pooled;

  struct Any {
    Any() = default;
    Any(const Any&) = delete;
    Any& operator=(const Any&) = delete;
    virtual ~Any() = default;

    Any* next = nullptr;  // free one of its type
  };
  struct FreeList {
    const char* type;
    Any* first = nullptr;
  };

  /// Address that stands for a type.
  template <typename Memory>
  static inline char type_mark = 0;

  /// Returns the index of the type's free ones. There are few types.
  std::size_t list_of(const char* type) {
    std::size_t at = 0;
    while (at < free_.size() && free_[at].type != type) ++at;
    if (at == free_.size()) free_.push_back({type});
    return at;
  }

  std::vector<FreeList> free_;
  std::vector<std::unique_ptr<Any>> all_;
};

/// Memory of a pool, with the contents that its last user left, so that its lists keep their capacity. Must be destroyed
/// before the pool.
template <typename Memory>
class Pooled {
 public:
  explicit Pooled(RecordingPool& pool) : pool_(pool), list_(pool.list_of(&RecordingPool::type_mark<Memory>)) {
    RecordingPool::Any*& first = pool_.free_[list_].first;
    if (first != nullptr) {
      one_ = static_cast<One*>(std::exchange(first, first->next));
    } else {
      auto fresh = std::make_unique<One>();
      one_ = fresh.get();
      pool_.all_.push_back(std::move(fresh));
    }
  }
  ~Pooled() { one_->next = std::exchange(pool_.free_[list_].first, one_); }
  Pooled(const Pooled&) = delete;
  Pooled& operator=(const Pooled&) = delete;

  Memory& operator*() const { return one_->memory; }
  Memory* operator->() const { return &one_->memory; }

 private:
  struct One final : RecordingPool::Any {
    Memory memory;
  };

  RecordingPool& pool_;
  std::size_t list_;
  One* one_;
};

}  // namespace tutti
