/// @file
/// Events in order of time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace tutti {

/// Events by their exact time. Collectives are so regular that thousands of events share an instant: a map from times
/// to lists beats a heap of events, and hands out an instant whole.
template <typename Event>
class Calendar {
 public:
  void add(double time, const Event& event) {
    auto [at, is_new] = days_.try_emplace(time);
    if (is_new && !spare_.empty()) {
      at->second.swap(spare_.back());
      spare_.pop_back();
    }
    at->second.push_back(event);
  }

  bool empty() const { return days_.empty(); }

  /// Moves all events of the next instant into `events` and returns its time. Times that rounding alone keeps apart (a
  /// relative 1e-12) are one instant. Needs !empty().
  double take(std::vector<Event>& events) {
    events.clear();
    const double now = days_.begin()->first;
    const double end = now + now * 1e-12;
    while (!days_.empty() && days_.begin()->first <= end) {
      std::vector<Event>& day = days_.begin()->second;
      if (events.empty()) {
        events.swap(day);
      } else {
        events.insert(events.end(), day.begin(), day.end());
      }
      day.clear();
      spare_.push_back(std::move(day));
      days_.erase(days_.begin());
    }
    return now;
  }

 private:
  std::map<double, std::vector<Event>> days_;
  std::vector<std::vector<Event>> spare_;  // emptied lists, to save their memory's allocation
};

}  // namespace tutti
