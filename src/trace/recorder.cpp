#include "trace/recorder.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <exception>
#include <filesystem>

#include "base/digest.hpp"
#include "base/system/environment.hpp"
#include "base/system/tell_user.hpp"
#include "timeline/chrome_trace.hpp"
#include "trace/trace_file.hpp"

namespace tutti::runtime {
namespace {

using timeline::Lane;
using timeline::Span;
using timeline::SpanKind;

constexpr Instant open = -1;
constexpr std::size_t most_titles = 4096;  // spans with later ones have the name of their kind

double seconds(Instant instant) { return static_cast<double>(instant) * 1e-9; }

}  // namespace

Instant trace_clock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<Instant>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

std::unique_ptr<Recorder> Recorder::from_environment(int rank, bool is_first_of_host) {
  const char* const name = environment_variable("TUTTI_TRACE");
  if (name == nullptr || *name == '\0') return nullptr;
  std::error_code none;
  const std::filesystem::path path = std::filesystem::absolute(name, none);
  return std::make_unique<Recorder>(rank, is_first_of_host, none ? std::string(name) : path.string());
}

Recorder::Recorder(int rank, bool is_first_of_host, std::string file)
    : rank_(rank), is_first_of_host_(is_first_of_host), file_(std::move(file)), titles_(1) {
  records_.reserve(most_spans);
}

std::size_t Recorder::add(const Record& record) {
  if (records_.size() == most_spans) {
    ++dropped_;
    return most_spans;
  }
  records_.push_back(record);
  return records_.size() - 1;
}

std::uint32_t Recorder::number_of(std::string title) {
  const auto found = title_numbers_.find(title);
  if (found != title_numbers_.end()) return found->second;
  if (titles_.size() == most_titles) return 0;
  titles_.push_back(title);
  return title_numbers_.emplace(std::move(title), static_cast<std::uint32_t>(titles_.size() - 1)).first->second;
}

void Recorder::begin_call(const void* operation, std::string title) {
  waiting_since_ = 0;
  if (title.empty()) return;
  const std::uint32_t number = number_of(std::move(title));
  const std::size_t at = add({.begin = trace_clock(), .end = open, .title = number, .kind = SpanKind::call});
  if (at < most_spans) calls_.insert_or_assign(operation, at);
}

void Recorder::end_call(const void* operation) {
  waiting_since_ = 0;
  const auto found = calls_.find(operation);
  if (found == calls_.end()) return;
  records_[found->second].end = trace_clock();
  calls_.erase(found);
}

void Recorder::enter_phase(std::uint64_t communicator, int call_slot, std::string_view name) {
  const Instant now = trace_clock();
  const auto open_one = std::find_if(phases_.begin(), phases_.end(), [&](const OpenPhase& phase) {
    return phase.communicator == communicator && phase.call_slot == call_slot;
  });
  if (open_one != phases_.end()) {
    records_[open_one->record].end = now;
    phases_.erase(open_one);
  }
  if (name.empty()) return;
  const std::uint32_t number = number_of(std::string(name));
  const std::size_t at = add({.begin = now, .end = open, .title = number, .kind = SpanKind::phase});
  if (at < most_spans) phases_.push_back({communicator, call_slot, at});
}

void Recorder::end_wait(int peer, std::uint64_t message, Instant now) {
  if (waiting_since_ == 0) return;
  add({.begin = waiting_since_, .end = now, .message = message, .peer = peer, .kind = SpanKind::wait});
  waiting_since_ = 0;
}

// A message that found its place taken at first has waited for the peer to read an earlier one.
void Recorder::sent(int peer, std::uint64_t message, std::int64_t bytes, Instant began) {
  end_wait(peer, 0, began);
  add({.begin = began, .end = trace_clock(), .message = message, .bytes = bytes, .peer = peer, .kind = SpanKind::send});
}

void Recorder::delivered(int peer, std::uint64_t message) { end_wait(peer, message, trace_clock()); }

void Recorder::arrived(int peer, std::uint64_t message, std::int64_t bytes) {
  const Instant now = trace_clock();
  end_wait(peer, message, now);
  const std::size_t at =
      add({.begin = now, .end = open, .message = message, .bytes = bytes, .peer = peer, .kind = SpanKind::receive});
  if (at < most_spans) reading_.emplace_back(message, at);
}

void Recorder::released(std::uint64_t message, Instant now) {
  const auto found = std::find_if(reading_.begin(), reading_.end(), [&](const auto& r) { return r.first == message; });
  if (found == reading_.end()) return;
  records_[found->second].end = now;
  *found = reading_.back();
  reading_.pop_back();
}

void Recorder::combined(SpanKind kind, std::int64_t bytes, Instant began, Instant now) {
  add({.begin = began, .end = now, .bytes = bytes, .kind = kind});
}

void Recorder::copied_on(std::int64_t bytes, Instant began, Instant now) {
  const bool goes_on = dropped_ == 0 && !records_.empty() && records_.back().kind == SpanKind::copy;
  if (!goes_on) return combined(SpanKind::copy, bytes, began, now);
  records_.back().end = now;
  records_.back().bytes += bytes;
}

Lane Recorder::lane() const {
  Instant last = 0;
  for (const Record& record : records_) last = std::max({last, record.begin, record.end});
  timeline::Timeline whole;
  Lane& lane = whole.lanes.emplace_back();
  for (const Record& record : records_) {
    lane.push_back({.kind = record.kind,
                    .begin = seconds(record.begin),
                    .end = seconds(record.end == open ? last : record.end),
                    .peer = record.peer,
                    .bytes = record.bytes,
                    .message = record.message,
                    .text = !holds_spans(record.kind) ? std::string()
                            : record.title == 0       ? std::string(name_of(record.kind))
                                                      : titles_[record.title]});
  }
  timeline::put_in_order(whole);
  add_computing(lane);
  timeline::put_in_order(whole);
  return std::move(whole.lanes.front());
}

// The program computes between calls; before the first and after the last one the trace knows nothing of it.
void Recorder::add_computing(Lane& lane) const {
  Lane computing;
  double covered = -1;
  for (const Span& span : lane) {
    if (span.kind != SpanKind::call) continue;
    if (covered >= 0 && span.begin > covered) {
      computing.push_back({.kind = SpanKind::compute, .begin = covered, .end = span.begin});
    }
    covered = std::max(covered, span.end);
  }
  lane.insert(lane.end(), computing.begin(), computing.end());
}

void Recorder::write() noexcept {
  if (written_) return;
  written_ = true;
  try {
    const std::string note = dropped_ == 0 ? std::string() : fmt::format("{} later spans were not kept", dropped_);
    append_to_trace(file_, timeline::events_of(rank_, lane(), note));
  } catch (const WrongTraceName& error) {
    if (!is_first_of_host_) return;
    const std::string whose = rank_ == 0 ? std::string() : fmt::format(" of the ranks on {}", name_of_host());
    tell_user("tutti: no trace{} is written: {}\n", whose, error.what());
  } catch (const std::exception& error) {
    tell_user("tutti: the trace of rank {} is lost: {}\n", rank_, error.what());
  }
}

std::uint64_t Trace::message(int from, int to, int call_slot, std::uint64_t number) const {
  std::uint64_t hash = communicator_;
  const auto mix = [&](std::uint64_t word) { hash = mixed(hash, word); };
  mix(static_cast<std::uint64_t>(member(from)) << 32 | static_cast<std::uint32_t>(member(to)));
  mix(static_cast<std::uint64_t>(call_slot));
  mix(number);
  return hash == 0 ? 1 : hash;
}

}  // namespace tutti::runtime
