/// @file
/// Flights of the flows engine: what is under way, what it waits for, and events in order of time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "simulate/meeting.hpp"
#include "simulate/precise.hpp"
#include "simulate/simulate.hpp"

namespace tutti {

/// A message under way.
struct Flight {
  MessageMeeting meeting;
  std::vector<LinkId> path;
  std::size_t hop = 0;  ///< store-and-forward: the link at hand
  double begun = 0;
  Precise remaining;  ///< bytes, at time `since`
  Precise rate;       ///< bytes a unit of time
  Precise since;
  std::uint32_t version = 0;  ///< version of the arrival that counts; earlier ones are void
  bool flows = false;         ///< over links that others may share
  bool alone = false;         ///< on links that are nobody else's, or carrying nothing: its end is fixed
  bool background = false;    ///< endless, and nobody's
};

/// All flights, by numbers that are used again.
class Flights {
 public:
  Flight& operator[](std::uint32_t id) { return flights_[id]; }

  /// Returns the number of one that begins; references to others are void.
  std::uint32_t add() {
    if (free_.empty()) {
      flights_.emplace_back();
      return static_cast<std::uint32_t>(flights_.size() - 1);
    }
    const std::uint32_t id = free_.back();
    free_.pop_back();
    Flight& flight = flights_[id];
    flight.path.clear();
    flight.hop = 0;
    flight.alone = false;
    return id;
  }

  /// Its number stays its own until free_ended().
  void end(std::uint32_t id) { ended_.push_back(id); }
  void free_ended() {
    free_.insert(free_.end(), ended_.begin(), ended_.end());
    ended_.clear();
  }

 private:
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> ended_;  // at this instant
};

/// Event at an instant.
struct Event {
  enum class Kind : std::uint8_t { wake, transfer, arrive, release };
  Kind kind = Kind::wake;
  std::uint32_t subject = 0;  ///< the rank, the flight, or which of the releases
  std::uint32_t version = 0;
};

/// The number among all moves of the send that is kept back. Throws `Error(invalid_argument)` where there is none.
std::uint64_t send_of(const Workload& workload, const Release& release);

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
