/// @file
/// Time after which a rank tells the user that it waits for a late one.
#pragma once

#include <chrono>
#include <string_view>

namespace tutti::runtime {

/// A wait of any length.
inline constexpr std::chrono::duration<double> no_limit = std::chrono::duration<double>::max();

/// Returns how long a rank waits in vain before a line on standard error says so: the environment's TUTTI_LATE_AFTER in
/// seconds, or else 30 s; `no_limit` if that is 0. Throws `Error(invalid_argument)` for what is no such time.
std::chrono::duration<double> late_after();

/// Advice for whoever does not want to wait so long.
inline constexpr std::string_view how_to_limit = "TUTTI_TIMEOUT=T would end such a wait after T seconds";

/// The moments of one wait at which it says that it lasts: after `first`, and whenever it has lasted twice as long.
class LateMoments {
 public:
  using Duration = std::chrono::duration<double>;

  explicit LateMoments(Duration first) : first_(first), next_(first) {}

  /// Whether the next moment has come; each comes once.
  bool take(Duration waited) {
    if (waited < next_) return false;
    gap_ = next_ == first_ ? first_ : next_ / 2;
    while (next_ <= waited) next_ = 2 * next_;
    return true;
  }
  /// Time from the moment before to the one that was taken last. Who has heard another rank say the same within that
  /// time says nothing. Somewhat less, because no clock is looked at in time.
  std::chrono::nanoseconds gap() const { return std::chrono::duration_cast<std::chrono::nanoseconds>(gap_ * 0.75); }

 private:
  Duration first_;
  Duration next_;
  Duration gap_{0};
};

}  // namespace tutti::runtime
