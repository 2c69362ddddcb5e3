#include "mpi_job/job/mpi_job.hpp"

#include <fmt/format.h>

#include <atomic>

#include "base/system/tell_user.hpp"

namespace tutti::interpose {
namespace {

std::atomic<bool> is_ready = false;

}  // namespace

MpiJob& job() {
  static MpiJob& only = *new MpiJob;
  return only;
}

// Acquire: pairs with the release in set_job_ready().
bool is_job_ready() { return is_ready.load(std::memory_order_acquire); }

// Release: who finds the job ready finds all of it.
void set_job_ready() { is_ready.store(true, std::memory_order_release); }

bool take_job_ready() { return is_ready.exchange(false, std::memory_order_release); }

void say(std::string_view text) { tell_user("tutti: {}\n", text); }

void say_where_this_rank_is(int rank, int size, std::string_view verb, const CallFrames& frames) {
  constexpr int most_callers = 4;
  say(fmt::format("rank {} of {} {} {}", rank, size, verb, call_site(frames, most_callers)));
}

}  // namespace tutti::interpose
