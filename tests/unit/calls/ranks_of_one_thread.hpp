/// @file
/// Ranks of one thread, with all that a rank has under a communicator.
#pragma once

#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "calls/call_cache.hpp"
#include "calls/collective_operation.hpp"
#include "calls/message_operations.hpp"
#include "predict/model/machine_costs.hpp"
#include "predict/model/machine_model.hpp"
#include "progress/communicator_state.hpp"
#include "progress/progress_engine.hpp"
#include "support/fake_world.hpp"
#include "tutti/operators.hpp"

namespace tutti::runtime {

inline constexpr std::uint64_t seed = 4711;
/// So many looks of ranks drawn by lot, and they stand still.
inline constexpr int most_looks = 2'000'000;

inline testing::Faults some_faults(std::mt19937_64& random) {
  const auto some = [&](unsigned most) { return static_cast<unsigned>(random() % (most + 1)); };
  return {some(60), some(50), some(100), some(100), some(100)};
}

inline std::string error_of(const Operation& operation) {
  try {
    operation.rethrow();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// A rank on the communicator of all.
class OneRank {
 public:
  OneRank(const std::shared_ptr<testing::FakeWorld>& world, int rank, testing::TurnedClock& clock)
      : engine(world, rank, Progress::when_waiting, clock),
        state(std::make_shared<CommunicatorState>(engine.rank_state(), world->whole(rank), std::chrono::seconds(30))),
        match_queue(*state),
        calls(rank, world->size(), {rank, Layout(), std::make_unique<MachineModel>(threads_costs, world->size())}, {}) {
    engine.add(state);
  }
  ~OneRank() { engine.clear(); }

  std::shared_ptr<CollectiveOperation> begin(const untyped::Call& call) {
    auto operation = std::make_shared<CollectiveOperation>(*state, calls);
    operation->keep(state);
    operation->prepare(calls.find(call), call);
    operation->arm();
    engine.begin(operation);
    return operation;
  }
  std::shared_ptr<SendOperation> send(std::vector<std::int64_t>& data, int to) {
    return message<SendOperation>(*state, parcel(data), to, 0);
  }
  std::shared_ptr<ReceiveOperation> receive(std::vector<std::int64_t>& data, int from) {
    return message<ReceiveOperation>(*state, match_queue, parcel(data), from, 0);
  }

  ProgressEngine engine;
  std::shared_ptr<CommunicatorState> state;
  ReceiveQueue match_queue;
  CallCache calls;

 private:
  template <typename Kind, typename... Arguments>
  std::shared_ptr<Kind> message(Arguments&&... arguments) {
    auto operation = std::make_shared<Kind>(std::forward<Arguments>(arguments)...);
    engine.begin(operation);
    return operation;
  }
  static untyped::Parcel parcel(std::vector<std::int64_t>& data) {
    return {data.data(), static_cast<std::int64_t>(data.size()), detail::datatype_of<std::int64_t>()};
  }
};

struct RanksOfOneThread {
  RanksOfOneThread(int p, std::uint64_t lots, const testing::Faults& faults, bool wakes = false)
      : network(p, lots, faults), world(std::make_shared<testing::FakeWorld>(network, clock, wakes)) {
    for (int rank = 0; rank < p; ++rank) ranks.push_back(std::make_unique<OneRank>(world, rank, clock));
  }

  OneRank& operator[](int rank) { return *ranks[static_cast<std::size_t>(rank)]; }
  int size() const { return network.size(); }
  /// One of them, drawn by lot, does what it can.
  void look() { (*this)[static_cast<int>(network.random()() % ranks.size())].engine.look(); }

  testing::TurnedClock clock;
  testing::FakeNetwork network;
  std::shared_ptr<testing::FakeWorld> world;
  std::vector<std::unique_ptr<OneRank>> ranks;
};

inline untyped::Call all_reduce_of(std::vector<std::int64_t>& data) {
  const auto n = static_cast<std::int64_t>(data.size());
  return {.collective = Collective::all_reduce,
          .input = data.data(),
          .input_size = n,
          .output = data.data(),
          .output_size = n,
          .in_place = true,
          .type = detail::datatype_of<std::int64_t>(),
          .op = detail::operator_for<std::int64_t>(sum)};
}

}  // namespace tutti::runtime
