#include "tuning/brief_look.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <vector>

#include "measure/buffers.hpp"
#include "measure/loop.hpp"
#include "measure/machine.hpp"
#include "plan/choice.hpp"
#include "predict/model/machine_model.hpp"
#include "tuning/measured_communicator.hpp"

namespace tutti {
namespace {

// Returns the processor time that this rank, which is one thread, has had so far.
double seconds_on_cores() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Call {
  measure::Cell cell;
  Choice choice;
  double predicted = 0;
};

std::vector<Call> calls_looked_at(int ranks, const MachineCosts& built_in) {
  using enum Collective;
  const MachineModel model(built_in, measure::cores());
  std::vector<std::int64_t> sizes{8, 1 << 10, 16 << 10, 128 << 10, 1 << 20};
  if (ranks > measure::cores()) sizes = {8, 16 << 10, 1 << 20};
  std::vector<Call> calls;
  for (const Collective collective : {broadcast, all_reduce, all_gather, all_to_all}) {
    for (const std::int64_t bytes : sizes) {
      const measure::Cell cell{collective, ranks, bytes};
      const Problem problem{.collective = collective, .ranks = ranks, .count = cell.count()};
      const Choice choice(*choose(problem, {}, sizeof(double), model).algorithm);
      calls.push_back({cell, choice, model.seconds(choice, problem, sizeof(double))});
    }
  }
  return calls;
}

// Memory of a rank's buffers, in which those of a call lie where those of the others do: its pages are new once.
class LookedAtMemory {
 public:
  LookedAtMemory(std::span<const Call> calls, int ranks, int rank)
      : rank_(rank), doubles_(most_bytes / sizeof(double) / static_cast<std::size_t>(ranks)) {
    for (const Call& call : calls) doubles_ = std::max(doubles_, fewest_sets * set_of(call.cell));
    memory_ = measure::plain_memory(doubles_);
  }

  // A call's data have left the caches when the turn of their set comes, as elsewhere, or most of them have.
  measure::Buffers buffers(const measure::Cell& cell) const {
    std::size_t first = 0;
    const auto from_here = [&](std::size_t count) {
      const std::size_t begin = first;
      first += (count + apart - 1) / apart * apart;
      return std::shared_ptr<double>(memory_, memory_.get() + begin);
    };
    return {cell, rank_, std::min(measure::sets_for(cell), doubles_ / set_of(cell)), from_here};
  }

 private:
  static constexpr std::size_t most_bytes = 24 << 20;  // all ranks together
  static constexpr std::size_t fewest_sets = 2;
  static constexpr std::size_t apart = 64;  // doubles, to which the lengths of inputs and of outputs are rounded up

  std::size_t set_of(const measure::Cell& cell) const {
    return static_cast<std::size_t>(cell.input_count(rank_) + cell.output_count(rank_)) + 2 * apart;
  }

  int rank_;
  std::size_t doubles_;
  std::shared_ptr<double> memory_;
};

// One of the calls on its buffers, and how long it took.
class LookedAtCall {
 public:
  LookedAtCall(Communicator& comm, const Call& call, const LookedAtMemory& memory)
      : comm_(comm), call_(call), buffers_(memory.buffers(call.cell)) {
    const auto sets = static_cast<double>(buffers_.sets());
    calls_ = static_cast<std::size_t>(std::clamp(row_seconds / call.predicted, fewest, sets));
  }

  // The shortest of a few rows of calls, each on the slower rank; a row is as long on both ranks.
  double seconds() {
    MeasuredCommunicator measured(comm_, MeasuredMemory::plain, call_.choice.algorithm->name);
    std::array<double, rows + 1> times = {};
    for (double& time : times) time = row(measured);
    const std::span counted = std::span(times).subspan(1);  // after the first all data are where calls leave them
    measured.max_over_ranks(counted);
    return *std::min_element(counted.begin(), counted.end());
  }
  // Seconds of all rows so far, and those of them in which this rank had a core.
  double worked() const { return worked_; }
  double passed() const { return passed_; }

 private:
  static constexpr std::size_t rows = 5;
  static constexpr double row_seconds = 150e-6;
  static constexpr double fewest = 2;

  double row(MeasuredCommunicator& measured) {
    measured.barrier();  // ranks that wait until others have prepared their buffers sleep
    const auto begin = measure::Clock::now();
    const double worked_before = seconds_on_cores();
    const double seconds = measure::time_batch(measured, call_.cell, buffers_, next_, calls_);
    worked_ += seconds_on_cores() - worked_before;
    passed_ += measure::seconds_since(begin);
    for (const std::uint64_t last = next_ + calls_; next_ < last; ++next_) buffers_.prepare(next_ + buffers_.sets());
    return seconds / static_cast<double>(calls_);
  }

  Communicator& comm_;
  const Call& call_;
  measure::Buffers buffers_;
  std::size_t calls_ = 0;
  std::uint64_t next_ = 0;
  double worked_ = 0;
  double passed_ = 0;
};

}  // namespace

BriefLook look_briefly(Communicator& comm, const MachineCosts& built_in) {
  const std::vector<Call> calls = calls_looked_at(comm.size(), built_in);
  const LookedAtMemory memory(calls, comm.size(), comm.rank());
  BriefLook look;
  std::vector<LookedAtCall> looked_at;
  looked_at.reserve(calls.size());
  for (const Call& call : calls) {
    const Problem problem{.collective = call.cell.collective, .ranks = comm.size(), .count = call.cell.count()};
    const double seconds = looked_at.emplace_back(comm, call, memory).seconds();
    look.observations.push_back({call.choice, problem, sizeof(double), measure::cores(), seconds});
  }
  double worked = 0;
  double passed = 0;
  for (LookedAtCall& call : looked_at) {
    look.again.push_back(call.seconds());
    worked += call.worked();
    passed += call.passed();
  }
  look.had_cores = comm.all_reduce(worked / passed, minimum);
  return look;
}

}  // namespace tutti
