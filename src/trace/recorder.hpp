/// @file
/// Recorder of a real run's spans, for TUTTI_TRACE.
///
/// Off, it costs one branch on a null pointer where an operation begins and ends and at each blocking wait, and two
/// calls that do nothing at each fold; messages pay nothing. On, it reads the clock once or twice at each message
/// offered, looked for or taken, and at each fold, and writes 48 bytes, all of which the rank sets aside when it
/// begins; a call's title is put together each time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "timeline/timeline.hpp"

namespace tutti::runtime {

/// Nanoseconds of the machine's monotonic clock, which all processes share.
using Instant = std::int64_t;
Instant trace_clock();

/// One rank's spans. For one thread at a time: guarded by its rank (ProgressEngine::guard), but for Blocking.
class Recorder {
 public:
  /// Spans that are kept, the first ones; the trace says how many were not.
  static constexpr std::size_t most_spans = std::size_t{1} << 17;

  /// For rank `rank` of the run where TUTTI_TRACE names a file, which is found from where the program began; null
  /// elsewhere. The ranks of a host all find a wrong name alike, and the one that `is_first_of_host` tells it.
  static std::unique_ptr<Recorder> from_environment(int rank, bool is_first_of_host);

  Recorder(int rank, bool is_first_of_host, std::string file);

  /// An operation begins and ends; one without a title is no call.
  void begin_call(const void* operation, std::string title);
  void end_call(const void* operation);

  /// Begins a phase: what comes next in the communicator's call slot belongs to that phase of the algorithm; empty: to
  /// none.
  void enter_phase(std::uint64_t communicator, int call_slot, std::string_view name);

  /// The rank looked for something that was not there.
  void missed() {
    if (waiting_since_ == 0 && blocks_.load(std::memory_order_relaxed)) waiting_since_ = trace_clock();
  }
  void sent(int peer, std::uint64_t message, std::int64_t bytes, Instant began);
  void delivered(int peer, std::uint64_t message);
  void arrived(int peer, std::uint64_t message, std::int64_t bytes);
  void released(std::uint64_t message, Instant now);
  void combined(timeline::SpanKind kind, std::int64_t bytes, Instant began, Instant now);
  /// A further part of a copy: one span with what was copied before, where nothing else was recorded since.
  void copied_on(std::int64_t bytes, Instant began, Instant now);

  /// While it lives the rank does nothing but wait, so that looking in vain is lost time.
  class Blocking {
   public:
    explicit Blocking(Recorder* recorder) : recorder_(recorder) {
      if (recorder_ != nullptr) recorder_->blocks_.store(true, std::memory_order_relaxed);
    }
    Blocking(const Blocking&) = delete;
    Blocking& operator=(const Blocking&) = delete;
    ~Blocking() {
      if (recorder_ != nullptr) recorder_->blocks_.store(false, std::memory_order_relaxed);
    }

   private:
    Recorder* recorder_;
  };

  /// The spans so far as a lane, the rank's time between calls as spans of computing. Seconds of the clock.
  timeline::Lane lane() const;
  /// Appends the spans so far to the file. Where that fails it says so on standard error, in one line; of a wrong name
  /// the first rank of each host does. Only once.
  void write() noexcept;

 private:
  struct Record {
    Instant begin = 0;
    Instant end = 0;
    std::uint64_t message = 0;
    std::int64_t bytes = 0;
    std::int32_t peer = -1;
    std::uint32_t title = 0;  // index into titles_
    timeline::SpanKind kind = timeline::SpanKind::call;
  };
  struct OpenPhase {
    std::uint64_t communicator = 0;
    int call_slot = 0;
    std::size_t record = 0;
  };

  /// Returns the record's place; `most_spans` where there is no room.
  std::size_t add(const Record& record);
  /// Ends the wait: its cause has happened.
  void end_wait(int peer, std::uint64_t message, Instant now);
  std::uint32_t number_of(std::string title);
  void add_computing(timeline::Lane& lane) const;

  int rank_;
  bool is_first_of_host_;
  std::string file_;
  std::vector<Record> records_;
  std::size_t dropped_ = 0;
  std::vector<std::string> titles_;
  std::unordered_map<std::string, std::uint32_t> title_numbers_;
  std::unordered_map<const void*, std::size_t> calls_;          // records of calls that have not ended, by operation
  std::vector<OpenPhase> phases_;                               // phases that have not ended
  std::vector<std::pair<std::uint64_t, std::size_t>> reading_;  // messages that have come, and their records
  Instant waiting_since_ = 0;                                   // 0: does not wait
  std::atomic<bool> blocks_ = false;
  bool written_ = false;
};

/// A recorder as one communicator sees it: its ranks and messages become those of the whole run.
class Trace {
 public:
  Trace(Recorder& recorder, std::uint64_t communicator, int rank, std::vector<int> members)
      : recorder_(recorder), communicator_(communicator), rank_(rank), members_(std::move(members)) {}

  Recorder& recorder() const { return recorder_; }

  void enter_phase(int call_slot, std::string_view name) { recorder_.enter_phase(communicator_, call_slot, name); }
  void missed() { recorder_.missed(); }
  void sent(int peer, int call_slot, std::uint64_t number, std::int64_t bytes, Instant began) {
    recorder_.sent(member(peer), message(rank_, peer, call_slot, number), bytes, began);
  }
  void delivered(int peer, int call_slot, std::uint64_t number) {
    recorder_.delivered(member(peer), message(rank_, peer, call_slot, number));
  }
  void arrived(int peer, int call_slot, std::uint64_t number, std::int64_t bytes) {
    recorder_.arrived(member(peer), message(peer, rank_, call_slot, number), bytes);
  }
  void released(int peer, int call_slot, std::uint64_t number, Instant now) {
    recorder_.released(message(peer, rank_, call_slot, number), now);
  }

 private:
  int member(int rank) const { return members_[static_cast<std::size_t>(rank)]; }
  /// A number that sender and receiver find alike, and hardly another message.
  std::uint64_t message(int from, int to, int call_slot, std::uint64_t number) const;

  Recorder& recorder_;
  std::uint64_t communicator_;
  int rank_;
  std::vector<int> members_;
};

}  // namespace tutti::runtime
