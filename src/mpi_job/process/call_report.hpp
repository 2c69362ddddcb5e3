/// @file
/// Report of a program's collectives when the program ends: TUTTI_MPI_REPORT.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::interpose {

/// A call of a taken-over function, from its begin to its end. Counted where a report is asked for, else free of cost.
class CountedCall {
 public:
  /// `name` is MPI's, in static storage.
  explicit CountedCall(const char* name) : name_(name) {
    if (counted) begin();
  }
  CountedCall(const CountedCall&) = delete;
  CountedCall& operator=(const CountedCall&) = delete;
  ~CountedCall() {
    if (counted) latest = outer_;
  }

  /// Whether calls are counted: TUTTI_MPI_REPORT is there.
  static bool is_counted() { return counted; }
  /// The call that this thread is in; null: none that is counted.
  static CountedCall* current() { return latest; }

  /// All ranks have come: what went before was waiting. Of a call in several parts, the first time counts.
  void note_all_have_come();
  void note_bytes(std::int64_t bytes, std::string_view algorithm);

  /// Notes how the call ended, with MPI's code.
  int served(int code);
  int forwarded(int code) {
    if (counted) note_forwarded();
    return code;
  }

  /// Why this thread's next calls are forwarded; in static storage.
  static void set_reason(const char* why) { reason = why; }

 private:
  using Clock = std::chrono::steady_clock;
  void begin();
  void note_forwarded();

  static const bool counted;
  static thread_local CountedCall* latest;
  static thread_local const char* reason;

  const char* name_;
  CountedCall* outer_ = nullptr;
  Clock::time_point begin_;
  Clock::time_point all_have_come_;
  std::int64_t bytes_ = -1;
  std::string algorithm_;
};

/// Writes what has been counted, as rank `rank` of `ranks` saw it: where TUTTI_MPI_REPORT names a file, each rank adds
/// its table there; where it is 1, or rank 0 cannot write the file, rank 0 writes its own to standard error. Where
/// ranks of another host cannot write the file, the first one there says so.
void write_report(int rank, int ranks, bool is_first_of_host);

}  // namespace tutti::interpose
