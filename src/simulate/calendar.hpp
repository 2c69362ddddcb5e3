/// @file
/// Events in order of time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulate/precise.hpp"

namespace tutti {

/// Events by their exact time. Collectives are so regular that thousands of events share an instant: a map from times
/// to lists beats a heap of events, and hands out an instant whole.
template <typename Event>
class Calendar {
 public:
  void add(const Precise& time, const Event& event) {
    if (last_ == days_.end() || last_->first != time) last_ = day(time);
    last_->second.push_back(event);
  }

  bool empty() const { return days_.empty(); }

  /// Moves all events of the next instant into `events` and returns its time. Times that rounding alone keeps apart are
  /// one instant: those that differ by less than a relative 2^-50, about 10^-15. Where messages share links a delay
  /// makes some later and others earlier, and those delay more in turn: rounding, which begins at 2^-100, grows with
  /// the simulation. The line lies halfway between it and the whole.
  /// Needs !empty().
  Precise take(std::vector<Event>& events) {
    constexpr double rounding = 0x1p-50;
    events.clear();
    last_ = days_.end();
    const Precise now = days_.begin()->first;
    const Precise end = now + now * rounding;
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
  using Days = std::map<Precise, std::vector<Event>>;

  typename Days::iterator day(const Precise& time) {
    const auto [at, is_new] = days_.try_emplace(time);
    if (is_new && !spare_.empty()) {
      at->second.swap(spare_.back());
      spare_.pop_back();
    }
    return at;
  }

  Days days_;
  typename Days::iterator last_ = days_.end();  // the day of the event that was added last: most often the next one's
  std::vector<std::vector<Event>> spare_;       // emptied lists, to save their memory's allocation
};

}  // namespace tutti
