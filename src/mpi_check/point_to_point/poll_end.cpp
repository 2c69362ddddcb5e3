#include "mpi_check/point_to_point/poll_end.hpp"

#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "mpi_job/job/program_threads.hpp"

namespace tutti::interpose {
namespace {

/// Whether the system may call a function of the program's while it looks.
bool has_timer_with_handler() {
  constexpr struct {
    __itimer_which timer;
    int signal;
  } timers[] = {{ITIMER_REAL, SIGALRM}, {ITIMER_VIRTUAL, SIGVTALRM}, {ITIMER_PROF, SIGPROF}};
  return std::any_of(std::begin(timers), std::end(timers), [](const auto& each) {
    itimerval left = {};
    struct sigaction action = {};
    getitimer(each.timer, &left);
    sigaction(each.signal, nullptr, &action);
    const bool is_set = left.it_value.tv_sec != 0 || left.it_value.tv_usec != 0;
    return is_set && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
  });
}

/// Whether there are timers that timer_create() makes, whatever they do.
bool has_other_timer() {
  std::ifstream timers("/proc/self/timers");
  return timers.peek() != std::ifstream::traits_type::eof();
}

}  // namespace

bool ends_by_looks_alone() {
  return windows_of_program.load(std::memory_order_relaxed) == 0 && !has_timer_with_handler() && !has_other_timer() &&
         has_no_other_thread();
}

}  // namespace tutti::interpose
