// Answers of a rank that is asked where in the program it is.

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <span>
#include <string>

#include "mpi_job/process/call_site.hpp"
#include "mpi_job/process/job_ranks.hpp"
#include "transport/interfaces/world.hpp"

namespace tutti::interpose {
namespace {

/// A signal that MPIs leave alone; programs seldom use the last of them.
int where_signal() { return SIGRTMAX - 2; }

/// Finding lines of the source takes some tenths of a second, on a busy machine seconds.
constexpr int most_seconds_of_answer = 20;

/// Answer of a rank about its place in the program. Never destroyed: a signal may come while the process ends.
struct Answering {
  bool (*may_answer)(std::uintptr_t about) = nullptr;
  void (*say)(const CallFrames&) = nullptr;
  CallFrames frames;
  std::atomic_flag is_noted;
  std::atomic<bool> has_frames = false;  // released by who wrote them, before `noted` is posted
  sem_t noted = {};
  // The thread that puts frames into words, of the process that has started it: a child has none. Whoever takes it out
  // joins it.
  std::atomic<pid_t> process = 0;
  pthread_t thread = {};
  /// Words that the handler says by itself once that thread has ended; never freed.
  std::atomic<const char*> last_words = nullptr;
};

Answering& answering() {
  static Answering& only = *new Answering;
  return only;
}

/// In a signal's handler, where the thread may hold any lock: what needs memory is left to put_into_words().
void note_where(int, siginfo_t* question, void*) {
  const int error = errno;
  Answering& own = answering();
  if (own.may_answer(reinterpret_cast<std::uintptr_t>(question->si_value.sival_ptr))) {
    if (!own.is_noted.test_and_set()) {
      own.frames = CallFrames::here();
      own.frames.is_of_handler = true;
      own.has_frames.store(true, std::memory_order_release);
      sem_post(&own.noted);
    } else if (const char* const words = own.last_words.exchange(nullptr, std::memory_order_acquire)) {
      // Nothing else could be said if nobody takes them.
      [[maybe_unused]] const auto written = write(STDERR_FILENO, words, std::strlen(words));
    }
  }
  errno = error;
}

/// Ends with the one answer, or where there is to be none.
void* put_into_words(void*) {
  Answering& own = answering();
  while (sem_wait(&own.noted) != 0) continue;
  // Acquire: the frames are there.
  if (own.has_frames.load(std::memory_order_acquire)) own.say(own.frames);
  return nullptr;
}

/// A thread that no signal of the program's comes to.
void start_putting_into_words() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Answering& own = answering();
  // Release: who takes the process out finds the thread.
  if (pthread_create(&own.thread, nullptr, put_into_words, nullptr) == 0)
    own.process.store(getpid(), std::memory_order_release);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void JobRanks::ask_where(std::span<const int> places, std::uintptr_t about) const {
  siginfo_t question = {};
  question.si_code = SI_QUEUE;
  question.si_pid = getpid();
  question.si_uid = getuid();
  question.si_value.sival_ptr = reinterpret_cast<void*>(about);
  for (const int place : places) {
    // Asked right before the signal, which would end another process that has the number.
    const auto process = static_cast<pid_t>(world_->process_of(place));
    // Its first thread, which has the number of the process: others are MPI's own.
    if (place != place_ && process > 0) syscall(SYS_rt_tgsigqueueinfo, process, process, where_signal(), &question);
  }
}

void JobRanks::answer_where(bool (*may_answer)(std::uintptr_t), void (*say)(const CallFrames&)) {
  prepare_call_sites();
  answering().may_answer = may_answer;
  answering().say = say;
  sem_init(&answering().noted, 0, 0);
  start_putting_into_words();
  struct sigaction action = {};
  action.sa_sigaction = note_where;
  action.sa_flags = SA_RESTART | SA_SIGINFO;
  sigaction(where_signal(), &action, nullptr);
  std::atexit([] { end_answers(); });
}

bool JobRanks::take_answer() { return !answering().is_noted.test_and_set(); }

// The signal stays taken over, since it may be on its way, and its handler finds that there is nothing more to note. It
// runs on the process's first thread. Where this is that thread, no handler is under way; where it is another one, a
// handler that has taken the answer before this one posts, too, and what it posts is read by nobody, or is the frames.
// Exchange: of several threads that end the program one joins. Release: the words are there for the handler.
void JobRanks::end_answers(const std::string& last_words) {
  Answering& own = answering();
  const bool has_answered = own.is_noted.test_and_set();
  if (own.process.exchange(0, std::memory_order_acquire) != getpid()) return;
  if (!has_answered && !last_words.empty())
    own.last_words.store((new std::string(last_words))->c_str(), std::memory_order_release);
  sem_post(&own.noted);
  timespec limit = {};
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += most_seconds_of_answer;
  // The words stay with the thread if standard error takes nothing, and the program ends all the same.
  if (pthread_timedjoin_np(own.thread, nullptr, &limit) != 0) pthread_detach(own.thread);
}

}  // namespace tutti::interpose
