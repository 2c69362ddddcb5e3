#include "mpi_job/communicators/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {
namespace {

/// MPI has room for few classes and codes, and frees none: there is one class, and codes get new sentences in turn.
class ErrorCodes {
 public:
  int of(std::string sentence) {
    // Cut off where MPI's room for it ends.
    sentence.resize(std::min<std::size_t>(sentence.size(), MPI_MAX_ERROR_STRING - 1));
    const std::lock_guard lock(mutex_);
    const auto known =
        std::find_if(all_.begin(), all_.end(), [&](const Code& each) { return each.sentence == sentence; });
    if (known != all_.end()) return known->number;
    Code* const code = next();
    if (code == nullptr || PMPI_Add_error_string(code->number, sentence.data()) != MPI_SUCCESS) return MPI_ERR_OTHER;
    code->sentence = std::move(sentence);
    return code->number;
  }

 private:
  static constexpr std::size_t most = 16;
  struct Code {
    int number = MPI_ERR_OTHER;
    std::string sentence;
  };

  /// One that has no sentence yet, or the oldest one; null where MPI gives none.
  Code* next() {
    if (all_.size() == most) return &all_[oldest_++ % most];
    const bool has_class = class_ != MPI_ERR_OTHER || PMPI_Add_error_class(&class_) == MPI_SUCCESS;
    Code fresh;
    if (!has_class || PMPI_Add_error_code(class_, &fresh.number) != MPI_SUCCESS) return nullptr;
    return &all_.emplace_back(std::move(fresh));
  }

  std::mutex mutex_;
  int class_ = MPI_ERR_OTHER;
  std::vector<Code> all_;
  std::size_t oldest_ = 0;
};

/// Whether errors of that communicator end the program in a way that Open MPI 4.1 crashes in: those of an
/// intercommunicator.
bool ends_by_a_crash(MPI_Comm handle) {
#ifdef OPEN_MPI
  int is_between = 0;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  PMPI_Comm_test_inter(handle, &is_between);
  if (is_between == 0 || PMPI_Comm_get_errhandler(handle, &handler) != MPI_SUCCESS) return false;
  const bool is_fatal = handler == MPI_ERRORS_ARE_FATAL;
  PMPI_Errhandler_free(&handler);
  return is_fatal;
#else
  static_cast<void>(handle);
  return false;
#endif
}

/// One of MPI's codes that stands for the sentence; MPI_ERR_OTHER where there is no memory for it.
int code_of(const char* sentence) {
  try {
    static ErrorCodes& all = *new ErrorCodes;
    return all.of(sentence);
  } catch (const std::exception&) {
    return MPI_ERR_OTHER;
  }
}

/// There may be no memory for words: the code says it all the same.
template <typename Say>
void say_if_there_is_memory(const Say& say_it) {
  try {
    say_it();
  } catch (const std::exception&) {
    // Nothing else could be said either.
  }
}

/// Whether a communicator has failed, and this sentence of it was told before: a program that goes on after its errors
/// gets it again from every later call there. Notes that it is told.
bool is_told_again(const ServedCommunicator& on, const char* sentence) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (on.has_failed() && on.told() == sentence) return true;
  on.told() = sentence;
  return false;
}

/// Whether errors of that communicator end the program in MPI.
bool ends_the_program(MPI_Comm handle) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_Comm_get_errhandler(handle, &handler) != MPI_SUCCESS) return true;
  bool is_fatal = handler == MPI_ERRORS_ARE_FATAL;
#if MPI_VERSION >= 4
  is_fatal = is_fatal || handler == MPI_ERRORS_ABORT;
#endif
  PMPI_Errhandler_free(&handler);
  return is_fatal;
}

/// The communicator's error handler gets the code, which is returned. One of the program's that ends it calls
/// MPI_Abort, or exit(), which end answers, too.
int hand_over(const ServedCommunicator& on, int code) {
  if (ends_the_program(on.handle())) JobRanks::end_answers();
  if (ends_by_a_crash(on.handle())) PMPI_Abort(MPI_COMM_WORLD, 1);
  ServedCommunicator::Calling::leave();
  PMPI_Comm_call_errhandler(on.handle(), code);
  return code;
}

/// Gives the ranks that were asked where they are time to say so: four times what this rank has taken for the lines of
/// its own source, since `begin`, but no more than some seconds, for which a program that goes on waits with each
/// error; and so many seconds at least.
void wait_for_answers(std::chrono::seconds least, std::chrono::steady_clock::time_point begin) {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::duration most = std::chrono::seconds(15);
  std::this_thread::sleep_for(std::max<Clock::duration>(least, std::min(most, 4 * (Clock::now() - begin))));
}

void say_where_all_are(const ServedCommunicator& on) {
  // First, because finding lines of the source takes all of them a while: on a busy machine a longer one.
  if (const auto places = on.places()) job().ranks->ask_where(*places, on.identity());
  const auto begin = std::chrono::steady_clock::now();
  // A rank that meets the others answers as well where one of them asks.
  const bool tells = on.is_founded() || JobRanks::take_answer();
  if (tells) say_where_this_rank_is(on.rank(), on.size(), "called from", CallFrames::here());
  // Nothing here shows how long it takes if another thread of this rank answers already.
  wait_for_answers(std::chrono::seconds(tells ? 2 : 6), begin);
}

/// About no communicator: those who are in calls answer, too.
void say_where_others_are(const std::vector<int>& on_host) {
  std::vector<int> in_job;
  for (const int place : on_host) in_job.push_back(job().ranks->host()->ranks[static_cast<std::size_t>(place)]);
  const auto places = job().ranks->places_of(in_job);
  if (!places || places->empty()) return;
  job().ranks->ask_where(*places, 0);
  wait_for_answers(std::chrono::seconds(2), std::chrono::steady_clock::now());
}

}  // namespace

int raise(const ServedCommunicator& on, const Error& error) {
  say_if_there_is_memory([&] {
    if (is_told_again(on, error.what())) return;
    say(fmt::format("rank {} of {}: {}", on.rank(), on.size(), error.what()));
    if (is_checked()) say_where_all_are(on);
  });
  return hand_over(on, code_of(error.what()));
}

int raise_of_this_rank(const ServedCommunicator& on, const Error& error) {
  say_if_there_is_memory([&] {
    say(fmt::format("rank {} of {}: {}", on.rank(), on.size(), error.what()));
    say_where_this_rank_is(on.rank(), on.size(), "called from", CallFrames::here());
  });
  return hand_over(on, code_of(error.what()));
}

int raise(const ServedCommunicator& on, const Error& error, const CallFrames& begun_at) {
  say_if_there_is_memory([&] {
    say(fmt::format("rank {} of {}: {}", on.rank(), on.size(), error.what()));
    say_where_this_rank_is(on.rank(), on.size(), "began it in", begun_at);
    say_where_all_are(on);
  });
  return hand_over(on, code_of(error.what()));
}

int raise(const ServedCommunicator& on, const Hang& hang) {
  say_if_there_is_memory([&] {
    say(fmt::format("rank {} of {}: {}", job().rank, job().size, hang.text));
    say_where_others_are(hang.to_ask);
  });
  return hand_over(on, code_of(hang.text.c_str()));
}

int raise_again(const ServedCommunicator& on) { return hand_over(on, code_of(on.failure().c_str())); }

int raise_no_memory(const ServedCommunicator& on) {
  say_if_there_is_memory([&] {
    say(fmt::format("rank {} of {}: the system gives no memory for this call; send less in one, or leave more free",
                    on.rank(), on.size()));
    if (is_checked()) say_where_this_rank_is(on.rank(), on.size(), "called from", CallFrames::here());
  });
  return hand_over(on, MPI_ERR_NO_MEM);
}

}  // namespace tutti::interpose
