#include "bindings/torch/extension/helper.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

namespace tutti::torch_backend {
namespace {

using std::chrono::microseconds;

// Long enough that a call which is waited for at once is over by then, and short beside the calls that computing can hide.
constexpr microseconds tick_length(200);
constexpr microseconds shortest_nap(20);
constexpr microseconds longest_nap(1000);

thread_local bool is_helper = false;

}  // namespace

// A child of fork() has no helper thread, and makes a helper of its own. It is told of the fork, because to ask for the process's
// number in each call costs 1.5 µs of an all-reduce's 6 on a virtual machine.
Helper& Helper::of_this_process() {
  static std::atomic<Helper*> helper = nullptr;
  // Acquire: pairs with the release below, and so has what the helper's constructor wrote.
  if (Helper* const made = helper.load(std::memory_order_acquire); made != nullptr) return *made;
  static std::mutex making;
  static const int watching =
      pthread_atfork(nullptr, nullptr, [] { helper.store(nullptr, std::memory_order_relaxed); });
  if (watching != 0) throw std::bad_alloc();
  const std::lock_guard lock(making);
  // The helper lasts as long as its thread: as long as the process.
  if (helper.load(std::memory_order_relaxed) == nullptr) helper.store(new Helper, std::memory_order_release);
  return *helper.load(std::memory_order_relaxed);
}

bool Helper::is_this_thread() const { return is_helper; }

void Helper::look_after(HelpedGroup& group) {
  const std::lock_guard lock(mutex_);
  if (group.is_helped_.exchange(true)) return;
  groups_.push_back(group.weak_from_this());
  if (!has_thread_) {
    has_thread_ = true;
    // Signals are for the threads of the program. By SIGUSR2 torch asks each thread for its stack when the program dies of
    // another signal, and waits for the answer.
    sigset_t others;
    sigset_t before;
    sigfillset(&others);
    sigdelset(&others, SIGUSR2);
    pthread_sigmask(SIG_SETMASK, &others, &before);
    std::thread([this] { run(); }).detach();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  woken_.notify_one();
}

void Helper::run() {
  is_helper = true;
  prctl(PR_SET_NAME, "tutti.torch");
  prctl(PR_SET_TIMERSLACK, 1000);
  microseconds nap = shortest_nap;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      woken_.wait(lock, [&] { return !groups_.empty(); });
    }
    bool moved = false;
    const bool is_busy = look(moved);
    tick_.fetch_add(1, std::memory_order_relaxed);
    nap = moved ? shortest_nap : std::min(2 * nap, longest_nap);
    std::this_thread::sleep_for(is_busy ? nap : tick_length);
  }
}

/// Looks at each group; says whether one of them has operations for which nobody waits.
bool Helper::look(bool& moved) {
  std::vector<std::shared_ptr<HelpedGroup>> groups;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(groups_, [](const std::weak_ptr<HelpedGroup>& each) { return each.expired(); });
    for (const std::weak_ptr<HelpedGroup>& each : groups_) {
      if (std::shared_ptr<HelpedGroup> group = each.lock()) groups.push_back(std::move(group));
    }
  }
  bool is_busy = false;
  for (const std::shared_ptr<HelpedGroup>& group : groups) {
    const HelpedGroup::Helped helped = group->help(tick(), moved);
    is_busy = is_busy || helped == HelpedGroup::Helped::busy;
    if (helped == HelpedGroup::Helped::done) drop(group);
  }
  return is_busy;
}

// One entry: the group may have come again meanwhile.
void Helper::drop(const std::shared_ptr<HelpedGroup>& group) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const std::weak_ptr<HelpedGroup>& each) { return each.lock() == group; });
  if (found != groups_.end()) groups_.erase(found);
}

}  // namespace tutti::torch_backend
