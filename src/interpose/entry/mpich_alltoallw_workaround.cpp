#include "interpose/entry/mpich_alltoallw_workaround.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi_job/job/null_safe_queries.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"

namespace tutti::interpose {

#ifdef MPICH_VERSION
namespace {

/// Arguments of the call that is made instead, for as long as MPI may read them.
class InputOfAll {
 public:
  InputOfAll(const AllToAllInPlace& call, std::vector<MpiType> types)
      : receive_(call.receive), types_(std::move(types)) {
    std::int64_t bytes = 0;
    for (std::size_t k = 0; k < types_.size(); ++k) {
      const auto rank = static_cast<int>(k);
      received_.counts.push_back(call.counts[rank]);
      received_.displacements.push_back(call.counts[rank] == 0 ? 0 : call.displacements[rank]);
      received_.types.push_back(types_[k].handle);
      sent_.counts.push_back(call.counts[rank] * types_[k].size);
      sent_.displacements.push_back(bytes);
      bytes += sent_.counts.back();
    }
    memory_ = memory_of(bytes);
  }

  void pack() {
    for (std::size_t k = 0; k < types_.size(); ++k) {
      interpose::pack(static_cast<const std::byte*>(receive_) + received_.displacements[k], received_.counts[k],
                      types_[k], memory_.get() + sent_.displacements[k]);
    }
  }

  /// `bytes` is a type of one byte.
  int begin(const AllToAllInPlace& call, MPI_Datatype bytes) {
    sent_.types.assign(types_.size(), bytes);
    if (!call.info)
      return PMPI_Ialltoallw_c(memory_.get(), sent_.counts.data(), sent_.displacements.data(), sent_.types.data(),
                               receive_, received_.counts.data(), received_.displacements.data(),
                               received_.types.data(), call.comm, call.request);
    return PMPI_Alltoallw_init_c(memory_.get(), sent_.counts.data(), sent_.displacements.data(), sent_.types.data(),
                                 receive_, received_.counts.data(), received_.displacements.data(),
                                 received_.types.data(), call.comm, *call.info, call.request);
  }

 private:
  struct Lists {
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> types;
  };

  void* receive_;
  std::vector<MpiType> types_;
  Lists sent_;
  Lists received_;
  std::unique_ptr<std::byte[]> memory_;
};

int drop_input(MPI_Datatype, int, void* input, void*) {
  delete static_cast<InputOfAll*>(input);
  return MPI_SUCCESS;
}

/// A type of one byte with which the input goes: MPI drops both when it has done with the type. Owns the input.
MPI_Datatype bytes_with(std::unique_ptr<InputOfAll> input) {
  static const int key = [] {
    int fresh = MPI_KEYVAL_INVALID;
    PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, drop_input, &fresh, nullptr);
    return fresh;
  }();
  MPI_Datatype bytes = MPI_DATATYPE_NULL;
  PMPI_Type_contiguous(1, MPI_BYTE, &bytes);
  PMPI_Type_commit(&bytes);
  PMPI_Type_set_attr(bytes, key, input.release());
  return bytes;
}

/// Persistent requests that are made apart. Relaxed, as whoever has such a request knows that one was made.
struct Started {
  InputOfAll* input = nullptr;
  MPI_Datatype bytes = MPI_DATATYPE_NULL;
};
std::atomic<bool> has_persistent = false;
std::mutex persistent_mutex;
std::unordered_map<MPI_Request, Started>& persistent_inputs() {
  static auto& all = *new std::unordered_map<MPI_Request, Started>;
  return all;
}

/// Types of all blocks; nothing where MPI has something to say against the arguments, or all have one type.
std::optional<std::vector<MpiType>> types_that_differ(const AllToAllInPlace& call) {
  const NullSafeQueries quiet;
  int ranks = 0;
  const bool are_there = call.counts.is_there() && call.displacements.is_there() && call.types.is_there();
  if (call.send != MPI_IN_PLACE || call.comm == MPI_COMM_NULL || !are_there ||
      PMPI_Comm_size(call.comm, &ranks) != MPI_SUCCESS)
    return std::nullopt;
  std::vector<MpiType> all;
  bool is_one_type = true;
  for (int rank = 0; rank < ranks; ++rank) {
    const bool is_nothing = call.counts[rank] == 0;
    if (call.counts[rank] < 0 || (!is_nothing && call.types[rank] == MPI_DATATYPE_NULL)) return std::nullopt;
    is_one_type = is_one_type && call.types[rank] == call.types[0];
    all.push_back(is_nothing ? *predefined_type(MPI_BYTE) : type_of(call.types[rank]));
    if (!all.back().is_committed) return std::nullopt;
  }
  return is_one_type ? std::nullopt : std::optional(std::move(all));
}

}  // namespace

std::optional<int> begin_out_of_place(const AllToAllInPlace& call) {
  const ReentrancyGuard guard;
  try {
    auto types = types_that_differ(call);
    if (!types) return std::nullopt;
    auto fresh = std::make_unique<InputOfAll>(call, std::move(*types));
    InputOfAll* const input = fresh.get();
    if (!call.info) input->pack();
    MPI_Datatype bytes = bytes_with(std::move(fresh));
    const int code = input->begin(call, bytes);
    if (call.info && code == MPI_SUCCESS) {
      const std::lock_guard lock(persistent_mutex);
      persistent_inputs()[*call.request] = {input, bytes};
      has_persistent.store(true, std::memory_order_relaxed);
    } else {
      PMPI_Type_free(&bytes);
    }
    return code;
  } catch (const std::bad_alloc&) {
    return std::nullopt;  // MPI is to do with what there is
  }
}

void pack_started(MPI_Request request) {
  if (!has_persistent.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(persistent_mutex);
  const auto found = persistent_inputs().find(request);
  if (found != persistent_inputs().end()) found->second.input->pack();
}

void forget_started(MPI_Request request) {
  if (!has_persistent.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(persistent_mutex);
  const auto found = persistent_inputs().find(request);
  if (found == persistent_inputs().end()) return;
  PMPI_Type_free(&found->second.bytes);
  persistent_inputs().erase(found);
}
#else
std::optional<int> begin_out_of_place(const AllToAllInPlace&) { return std::nullopt; }
void pack_started(MPI_Request) {}
void forget_started(MPI_Request) {}
#endif

}  // namespace tutti::interpose
