#include "bindings/torch/extension/rendezvous.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "tutti/detail/joining.hpp"
#include "tutti/error.hpp"
#include "tutti/world.hpp"

namespace tutti::torch_backend {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

template <typename T>
std::string raw(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <typename T>
T value_in(const std::string& bytes) {
  T value;
  if (bytes.size() != sizeof value)
    throw Error(ErrorCode::invalid_argument,
                "the store holds what no rank of this tutti has written: give init_process_group a store of its own");
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// This process's rank in the world of MPI, and the lock of all of its groups.
struct JobOfMpi {
  Communicator& world;
  std::shared_ptr<RankLock> lock = std::make_shared<RankLock>();

  static JobOfMpi& joined() {
    // The helper is a thread beside the one that starts MPI, which has to know that calls come from several.
    static JobOfMpi& job = *new JobOfMpi{tutti::world({.progress_thread = true})};
    return job;
  }
};

/// Groups of MPI's world: their ranks tell one another who they are there.
std::shared_ptr<Group> join_within_mpi(StoreExchange exchange, int rank, std::chrono::milliseconds timeout) {
  JobOfMpi& job = JobOfMpi::joined();
  std::vector<int> members;
  for (const std::string& told : exchange(raw(job.world.rank()))) members.push_back(value_in<int>(told));
  const HeldRank held(*job.lock);
  const detail::CommunicatorWord mine = detail::found_communicator(members, rank);
  std::vector<detail::CommunicatorWord> words;
  for (const std::string& told : exchange(raw(mine))) words.push_back(value_in<detail::CommunicatorWord>(told));
  return std::make_shared<Group>(std::nullopt, detail::join_communicator(words, members, rank, ""), job.lock, timeout);
}

}  // namespace

StoreExchange::StoreExchange(c10::intrusive_ptr<c10d::Store> store, int rank, int size,
                             std::chrono::milliseconds timeout)
    : store_(std::move(store)), rank_(rank), size_(size), timeout_(timeout) {
  time_ = (store_->add("tutti/ranks", 1) - 1) / size;
}

std::string StoreExchange::key(int rank) const { return fmt::format("tutti/{}/{}/{}", time_, round_, rank); }

std::vector<std::string> StoreExchange::operator()(const std::string& mine) {
  ++round_;
  store_->set(key(rank_), bytes_of(mine));
  std::vector<std::string> told;
  for (int other = 0; other < size_; ++other) {
    try {
      store_->wait({key(other)}, timeout_.count() > 0 ? timeout_ : c10d::Store::kDefaultTimeout);
    } catch (const std::exception& error) {
      throw Error(
          ErrorCode::timeout,
          fmt::format("rank {} waited {:.1f} s for rank {} of {} to come to init_process_group or new_group: start all "
                      "ranks, or pass a longer timeout (the store says: {})",
                      rank_, static_cast<double>(timeout_.count()) / 1e3, other, size_, error.what()));
    }
    const std::vector<std::uint8_t> bytes = store_->get(key(other));
    told.emplace_back(bytes.begin(), bytes.end());
  }
  return told;
}

bool is_under_mpirun() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMI_SIZE") != nullptr; }

std::shared_ptr<Group> join_by_store(const c10::intrusive_ptr<c10d::Store>& store, int rank, int size,
                                     std::chrono::milliseconds timeout) {
  StoreExchange exchange(store, rank, size, timeout);
  if (is_under_mpirun()) return join_within_mpi(std::move(exchange), rank, timeout);
  try {
    JoinedWorld world = tutti::join(rank, size, exchange);
    Communicator communicator = world.communicator();
    return std::make_shared<Group>(std::move(world), std::move(communicator), std::make_shared<RankLock>(), timeout);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::unsupported) throw;
    throw Error(ErrorCode::unsupported, fmt::format("init_process_group(\"tutti\"): {}", error.what()));
  }
}

}  // namespace tutti::torch_backend
