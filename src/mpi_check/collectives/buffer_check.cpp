#include "mpi_check/collectives/buffer_check.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>

#include "base/units.hpp"
#include "mpi_check/collectives/neighbour_signatures.hpp"
#include "mpi_check/collectives/rendezvous.hpp"
#include "mpi_check/collectives/signature_check.hpp"
#include "mpi_job/arguments/fortran_arguments.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/datatypes/mpi_types.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"

namespace tutti::interpose {
namespace {

using Pattern = CallData::Pattern;

enum class MayBeInPlace : std::uint8_t { on_no_rank, on_root, on_all_ranks };

/// One of a call's buffers, as this rank uses it.
struct CheckedBuffer {
  const DataBuffer* buffer = nullptr;
  std::string_view name;        ///< "send buffer"
  std::string_view verb;        ///< "sends"
  std::string_view other = {};  ///< the buffer that MPI_IN_PLACE may stand for instead
  int first = 0;                ///< its first block here
  int blocks = 0;               ///< number of its blocks
  MayBeInPlace in_place = MayBeInPlace::on_no_rank;
};

/// Whether nobody has memory there: systems leave the first page free.
bool is_no_memory(std::int64_t address) { return address >= 0 && address < 4096; }

/// Whether Fortran's MPI_IN_PLACE lies there: MPICH makes it that of C only where a rank may give it.
bool is_in_place_of_fortran(const void* at) {
#ifdef MPICH_VERSION
  static void* const* const of_mpi = static_cast<void* const*>(symbol_behind("MPIR_F_MPI_IN_PLACE"));
  static const Sentinel of_f08({"MPIR_F08_MPI_IN_PLACE", "__mpi_f08_link_constants_MOD_mpi_in_place",
                                "mpir_f08_mpi_in_place", "mpir_f08_mpi_in_place_"});
  return at != nullptr && ((of_mpi != nullptr && *of_mpi == at) || of_f08.is(at));
#else
  return at == MPI_IN_PLACE;
#endif
}

std::int64_t bytes_in(const Elements& block) {
  return block.count > 0 && block.type != MPI_DATATYPE_NULL ? block.count * type_of(block.type).size : 0;
}

class BufferCheck {
 public:
  BufferCheck(const char* function, const ServedCommunicator& on, const CallData& data)
      : function_(function), on_(on), data_(data) {}

  std::optional<Error> wrong() const {
    const CheckedBuffer sent = use_of_sent();
    if (auto error = wrong_in(sent)) return error;
    // Elements that are read in place lie in the other buffer.
    const bool in_place = sent.in_place != MayBeInPlace::on_no_rank && data_.sent.at == MPI_IN_PLACE;
    return data_.pattern == Pattern::broadcast ? std::nullopt : wrong_in(use_of_received(in_place));
  }

 private:
  bool is_between() const { return on_.is_between_groups(); }
  bool is_at_root() const { return is_between() ? data_.root == MPI_ROOT : data_.root == on_.rank(); }
  /// Whether this rank gives to the root, or gets from it.
  bool is_of_others() const { return !is_between() || data_.root >= 0; }
  int all() const { return on_.others(); }

  CheckedBuffer use_of_sent() const {
    CheckedBuffer use{&data_.sent, "send buffer", "sends", "receive buffer"};
    const auto root_may = is_at_root() ? MayBeInPlace::on_all_ranks : MayBeInPlace::on_root;
    switch (data_.pattern) {
      case Pattern::broadcast:
        use.name = "buffer";
        use.verb = is_at_root() ? "sends" : "receives";
        use.blocks = is_of_others() || is_at_root() ? 1 : 0;
        break;
      case Pattern::gather:
      case Pattern::reduce:
        use.blocks = is_of_others() ? 1 : 0;
        use.in_place = root_may;
        break;
      case Pattern::scatter:
        use.blocks = is_at_root() ? all() : 0;
        break;
      case Pattern::to_neighbours:
        use.blocks = neighbours().destinations.empty() ? 0 : 1;
        break;
      case Pattern::among_neighbours:
        use.blocks = static_cast<int>(neighbours().destinations.size());
        break;
      default: {
        const bool is_in_blocks = data_.pattern == Pattern::all_to_all || data_.pattern == Pattern::reduce_scatter;
        use.blocks = !is_in_blocks ? 1 : data_.pattern == Pattern::all_to_all ? all() : on_.size();
        use.in_place = MayBeInPlace::on_all_ranks;
      }
    }
    if (is_between()) use.in_place = MayBeInPlace::on_no_rank;
    return use;
  }

  CheckedBuffer use_of_received(bool in_place) const {
    CheckedBuffer use{&data_.received, "receive buffer", in_place ? "has" : "receives", "send buffer"};
    switch (data_.pattern) {
      case Pattern::gather:
        use.blocks = is_at_root() ? all() : 0;
        break;
      case Pattern::reduce:
        use.blocks = is_at_root() ? 1 : 0;
        break;
      case Pattern::scatter:
        use.blocks = is_of_others() ? 1 : 0;
        use.in_place = is_at_root() ? MayBeInPlace::on_all_ranks : MayBeInPlace::on_root;
        if (is_between()) use.in_place = MayBeInPlace::on_no_rank;
        break;
      case Pattern::to_neighbours:
      case Pattern::among_neighbours:
        use.blocks = static_cast<int>(neighbours().sources.size());
        break;
      case Pattern::exclusive_scan:
        // The first rank gets nothing, and MPI reads nothing there.
        use.blocks = on_.rank() == 0 && !in_place ? 0 : 1;
        break;
      case Pattern::reduce_scatter:
        use.first = in_place ? 0 : on_.rank();
        use.blocks = in_place ? on_.size() : 1;
        break;
      default:
        use.blocks = data_.pattern == Pattern::all_gather || data_.pattern == Pattern::all_to_all ? all() : 1;
    }
    return use;
  }

  Neighbours neighbours() const { return neighbours_of(on_.handle()).value_or(Neighbours()); }

  std::optional<Error> wrong_in(const CheckedBuffer& use) const {
    if (use.blocks == 0) return std::nullopt;
    const DataBuffer& buffer = *use.buffer;
    if (buffer.at == MPI_IN_PLACE && use.in_place == MayBeInPlace::on_all_ranks) return std::nullopt;
    if (auto error = missing_list(use)) return error;
    if (buffer.at == MPI_IN_PLACE || is_in_place_of_fortran(buffer.at)) return in_place(use);
    return buffer.at == nullptr ? null(use) : std::nullopt;
  }

  /// MPICH looks at nothing where there are no elements.
  std::optional<Error> in_place(const CheckedBuffer& use) const {
    if (is_mpich && bytes_of_all(use) == 0) return std::nullopt;
    const bool has_such = !is_between() && data_.pattern != Pattern::broadcast &&
                          data_.pattern != Pattern::to_neighbours && data_.pattern != Pattern::among_neighbours;
    const bool may_root = use.in_place == MayBeInPlace::on_root;
    const std::string as = may_root || !has_such ? std::string() : fmt::format(" as the {}", use.name);
    const std::string who = may_root       ? fmt::format("only the root, rank {}, may", data_.root)
                            : is_between() ? std::string("no rank of an intercommunicator may")
                                           : std::string("no rank may");
    const std::string remedy = may_root || !has_such ? fmt::format("pass where what it {} lies", use.verb)
                                                     : fmt::format("pass it as the {} instead", use.other);
    return error(fmt::format("gave MPI_IN_PLACE{} to {}, which {}; {}", as, without_width(function_), who, remedy));
  }

  std::optional<Error> null(const CheckedBuffer& use) const {
    std::int64_t end = 0;
    for (int k = use.first; k < use.first + use.blocks; ++k) {
      const Elements block = use.buffer->block(k);
      if (bytes_in(block) == 0) continue;
      const MpiType type = type_of(block.type);
      const std::int64_t unit = use.buffer->is_in_bytes ? 1 : type.extent;
      const bool is_listed = use.buffer->is_in_list && use.buffer->has_displacements;
      const std::int64_t begin = is_listed ? use.buffer->displacements[k] * unit : end;
      end = begin + block.count * type.extent;
      if (!is_no_memory(begin + type.first_byte)) continue;
      return error(fmt::format("gave NULL as the {} to {}, which only a rank that {} nothing may; it {} {}", use.name,
                               without_width(function_), use.verb, use.verb, counted(bytes_of_all(use), "byte")));
    }
    return std::nullopt;
  }

  std::optional<Error> missing_list(const CheckedBuffer& use) const {
    const DataBuffer& buffer = *use.buffer;
    if (!buffer.is_in_list) return std::nullopt;
    const auto missing = [&](std::string_view list) {
      return error(fmt::format("gave NULL as the list of {} for the {} to {}, which reads one for each {}", list,
                               use.name, without_width(function_), is_of_neighbours() ? "neighbor" : "rank"));
    };
    if (!buffer.counts.is_there()) return missing("counts");
    bool is_nothing = true;
    for (int k = use.first; k < use.first + use.blocks; ++k) is_nothing = is_nothing && buffer.counts[k] == 0;
    if (is_nothing) return std::nullopt;
    if (!buffer.has_types) return missing("types");
    if (buffer.has_displacements && !buffer.displacements.is_there()) return missing("displacements");
    return std::nullopt;
  }

  bool is_of_neighbours() const {
    return data_.pattern == Pattern::to_neighbours || data_.pattern == Pattern::among_neighbours;
  }

  std::int64_t bytes_of_all(const CheckedBuffer& use) const {
    std::int64_t bytes = 0;
    for (int k = use.first; k < use.first + use.blocks; ++k) bytes += bytes_in(use.buffer->block(k));
    return bytes;
  }

  std::optional<Error> error(const std::string& what) const {
    const int rank = is_between() ? job().rank : on_.rank();
    return Error(ErrorCode::invalid_argument, fmt::format("rank {}{} {} (on communicator {})", rank,
                                                          is_between() ? " of MPI_COMM_WORLD" : "", what, on_.title()));
  }

  const char* function_;
  const ServedCommunicator& on_;
  const CallData& data_;
};

}  // namespace

std::optional<Error> wrong_buffer(const char* function, const ServedCommunicator& on, const CallData& data) {
  const bool is_root_known = !data.has_root() || on.is_between_groups() || (data.root >= 0 && data.root < on.size());
  return is_root_known ? BufferCheck(function, on, data).wrong() : std::nullopt;
}

std::optional<int> raise_wrong_buffer(const char* function, const ServedCommunicator& on, const CallData& data) {
  std::optional<Error> wrong;
  {
    const ReentrancyGuard guard;
    wrong = wrong_buffer(function, on, data);
  }
  return wrong ? std::optional(raise_of_this_rank(on, *wrong)) : std::nullopt;
}

// Nothing is told here of what the others say of it: this rank has said it.
std::optional<int> refuse_wrong_buffer(const char* function, ServedCommunicator& on, const CallData& data) {
  const std::optional<int> code = raise_wrong_buffer(function, on, data);
  if (!code) return std::nullopt;
  const ReentrancyGuard guard;
  const ServedCommunicator::Calling calling(on);
  try {
    on.ranks().come_to(with_wrong_buffer(function));
  } catch (const Error&) {
    // All that have come know of it.
  }
  return code;
}

std::optional<int> meet_with_data(const char* function, MPI_Comm handle, const void* entry,
                                  const std::optional<CallData>& data,
                                  const std::function<CallDescription(const ServedCommunicator& on)>& passed) {
  const ServedCommunicator* const on = data ? state_known_of(handle) : nullptr;
  if (on == nullptr) return meet_between(handle, function, entry, passed);
  if (const auto code = raise_wrong_buffer(function, *on, *data)) {
    meet_between(handle, with_wrong_buffer(function).c_str(), entry);
    return code;
  }
  return meet_between(handle, function, entry, [&](const ServedCommunicator& to) {
    CallDescription own = passed(to);
    own.flows.signatures = signatures_of(*data, to);
    return own;
  });
}

std::string with_wrong_buffer(const char* function) {
  return fmt::format("{} with a wrong buffer", without_width(function));
}

}  // namespace tutti::interpose
