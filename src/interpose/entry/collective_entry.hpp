/// @file
/// Entry of a program's call to the function that serves it.
///
/// All collectives have their communicator last, and else the arguments of the function that serves them, in its order.
/// Each argument is one word of the machine: an entry takes words, and what is forwarded are the words that came, so
/// that a library that is preloaded into a program of the other MPI, whose handles are of another type, does no harm.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "interpose/entry/checked_call.hpp"
#include "interpose/entry/correct_operators.hpp"
#include "interpose/entry/mpich_in_place_workaround.hpp"
#include "interpose/serve/served_collectives.hpp"
#include "mpi_check/communicators/call_owner.hpp"
#include "mpi_job/arguments/argument_word.hpp"
#include "mpi_job/communicators/errors.hpp"
#include "mpi_job/job/pmpi_forwarding.hpp"
#include "mpi_job/job/reentrancy_guard.hpp"
#include "mpi_job/process/call_report.hpp"
#include "mpi_job/process/settings.hpp"

namespace tutti::interpose {

/// Entry of C of the collective that `Serve` serves. For `Describe` and `Between` see checked_call.hpp; `folds`: the fourth
/// argument is the elements' type, and the fifth one an operator on them.
template <auto Serve, auto Describe, auto Between, bool folds, typename Count>
struct CollectiveEntry;

template <typename... Arguments, Served (*Serve)(ServedCommunicator&, Arguments...), auto Describe, auto Between,
          bool folds, typename Count>
struct CollectiveEntry<Serve, Describe, Between, folds, Count> {
  /// The function of C that is taken over, `name`, with the words that it was called with.
  template <typename Next, std::size_t... K, typename... Words>
  static int call(const char* name, const Next& next, std::index_sequence<K...>, Words... words) {
    Word all[] = {words...};
    CountedCall call(name);
    const void* const entry = __builtin_frame_address(0);
    const auto comm = argument<MPI_Comm, Count>(all[sizeof...(Arguments)]);
    if constexpr (folds) tell_wrong_operator(operator_of(all), element_of(all));
    const auto [on, error] = owner_of_call(comm, name, entry);
    if (error) return call.forwarded(*error);
    if (on != nullptr) {
      const auto act = [&, on = on] {
        return serve<Serve, Describe>(name, *on, argument<Arguments, Count>(all[K])...);
      };
      if (const Served code = done_or_raised(*on, act)) return call.served(*code);
    } else if (is_checked()) {
      if (const auto code = meet_checked<Describe, Between>(name, comm, entry, argument<Arguments, Count>(all[K])...))
        return call.forwarded(*code);
    }
    // Handles of another MPI, whose library has stepped aside, may be wider.
    if constexpr (folds) {
      if (is_job_ready()) all[4] = key_of(correct_operator(operator_of(all), element_of(all), comm, name, entry));
    }
    const ReentrancyGuard guard;
    if constexpr (is_wrong_in_place<Serve>) {
      const InputOutOfPlace input(argument<Arguments, Count>(all[K])..., comm);
      return call.forwarded(next(reinterpret_cast<Word>(input.data()), all[K + 1]...));
    }
    return call.forwarded(next(all[0], all[K + 1]...));
  }

 private:
  static MPI_Datatype element_of(const Word* all) { return handle_in<MPI_Datatype>(all[3]); }
  static MPI_Op operator_of(const Word* all) { return handle_in<MPI_Op>(all[4]); }
};

}  // namespace tutti::interpose
