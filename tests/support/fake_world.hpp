/// @file
/// A run of ranks in one thread, whose time the test turns.
#pragma once

#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "progress/clock.hpp"
#include "support/fake_network.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::testing {

/// Time passes where somebody naps, or sleeps in a FakeWorld; then `meanwhile` does what others do.
class TurnedClock final : public runtime::Clock {
 public:
  Instant now() override { return now_; }
  void nap(Duration time) override {
    now_ += time;
    ++naps;
    if (meanwhile) meanwhile();
  }
  /// Time passes in which nobody does anything.
  void jump(Duration time) { now_ += time; }
  /// Returns the time since the test began.
  std::chrono::duration<double> passed() const { return now_ - Instant{}; }

  int naps = 0;
  std::function<void()> meanwhile;

 private:
  Instant now_{};
};

/// Its communicator of all ranks goes over a FakeNetwork. A rank that waits may move its thread to another core, as
/// everywhere: see Placement.
class FakeWorld final : public runtime::World {
 public:
  FakeWorld(FakeNetwork& network, TurnedClock& clock, bool wakes = false)
      : network_(network),
        clock_(clock),
        wakes_(wakes),
        records_(static_cast<std::size_t>(network.size())),
        layout_(std::vector<Location>(records_.size())) {}

  int size() const override { return network_.size(); }
  runtime::RankRecord& record(int rank) override { return records_[static_cast<std::size_t>(rank)]; }
  std::uint32_t losses() const override { return losses_; }
  void fail(int rank, const std::string& reason) override {
    record(rank).note_failure(reason);
    ++losses_;
  }
  void announce(int rank, std::string_view text, const runtime::WaitState& wait_state) override {
    record(rank).set_waiting(text, wait_state);
    record(rank).set_stamp(++stamps_);
  }
  void withdraw(int rank) override {
    record(rank).set_stamp(0);
    record(rank).set_waiting({});
  }
  std::uint64_t moment() override { return stamps_; }
  void note_quiet(int rank, std::uint64_t moment) override { record(rank).set_quiet_since(moment); }
  void tell_quiet(int) override {}
  bool were_quiet(std::span<const Stand>) const override { return false; }
  bool prepare_sleep(int, runtime::WokenBy) override { return wakes_; }
  bool sleep(int, std::chrono::nanoseconds most) override {
    clock_.nap(std::chrono::duration_cast<runtime::Clock::Duration>(most));
    return false;
  }
  runtime::Foundation found(const std::vector<int>&, int) override { return {}; }
  runtime::Membership join(std::span<const runtime::Foundation>, std::vector<int>, int rank) override {
    return whole(rank);
  }
  runtime::Membership whole(int rank) override {
    std::vector<int> all(records_.size());
    std::iota(all.begin(), all.end(), 0);
    return {0, {}, std::move(all), rank, network_.connect(rank)};
  }
  bool join(const runtime::Membership&, std::uint64_t, const std::vector<int>&, runtime::Membership&) override {
    return false;
  }
  std::byte* allocate(std::size_t bytes) override {
    auto* const memory = static_cast<std::byte*>(::operator new[](bytes, std::align_val_t{64}));
    std::memset(memory, 0, bytes);
    return memory;
  }
  void free(std::byte* memory) noexcept override { ::operator delete[](memory, std::align_val_t{64}); }
  Transport transport() const override { return Transport::threads; }
  runtime::HostShare host() const override { return {.cores = size(), .ranks = size()}; }
  const Layout& layout() const override { return layout_; }
  runtime::HostShare most_crowded_host() const override { return host(); }

 private:
  FakeNetwork& network_;
  TurnedClock& clock_;
  bool wakes_;
  std::vector<runtime::RankRecord> records_;
  Layout layout_;
  std::uint32_t losses_ = 0;
  std::uint64_t stamps_ = 0;
};

}  // namespace tutti::testing
