/// @file
/// Memory that is used again where many choices are priced.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tutti {

template <typename Memory>
class Spare;

/// While it lives, this thread keeps what each Spare of it was done with, for the next one of its kind: whoever records
/// a rank after the other needs the same lists again and again. One that is made while another lives does nothing.
class Spares {
 public:
  Spares();
  ~Spares();
  Spares(const Spares&) = delete;
  Spares& operator=(const Spares&) = delete;

 private:
  template <typename Memory>
  friend class Spare;

  struct Any {
    Any() = default;
    Any(const Any&) = delete;
    Any& operator=(const Any&) = delete;
    virtual ~Any() = default;
  };

  static Spares*& outermost();

  bool is_outermost_;
  std::uint64_t number_;  // among those of the thread, from 1 on
  std::vector<std::unique_ptr<Any>> all_;
};

/// A `Memory` that holds what the one before left in it, so that its lists are as long as they ever were; or a new one.
/// Within a Spares it must go before that does.
template <typename Memory>
class Spare {
 public:
  Spare() {
    Spares* const spares = Spares::outermost();
    if (spares == nullptr) {
      own_ = std::make_unique<One>();
      one_ = own_.get();
      return;
    }
    Free& free = free_ones();
    if (free.number != spares->number_) free = {spares->number_, nullptr};
    if (free.first != nullptr) {
      one_ = std::exchange(free.first, free.first->next);
    } else {
      auto fresh = std::make_unique<One>();
      one_ = fresh.get();
      spares->all_.push_back(std::move(fresh));
    }
  }
  ~Spare() {
    if (own_ == nullptr) one_->next = std::exchange(free_ones().first, one_);
  }
  Spare(const Spare&) = delete;
  Spare& operator=(const Spare&) = delete;

  Memory& operator*() const { return one_->memory; }
  Memory* operator->() const { return &one_->memory; }

 private:
  struct One final : Spares::Any {
    Memory memory;
    One* next = nullptr;  // free one
  };
  struct Free {
    std::uint64_t number = 0;  // of the Spares that have them
    One* first = nullptr;
  };
  static Free& free_ones() {
    static thread_local Free free;
    return free;
  }

  std::unique_ptr<One> own_;  // where nothing is kept
  One* one_ = nullptr;
};

}  // namespace tutti
