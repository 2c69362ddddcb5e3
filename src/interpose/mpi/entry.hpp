/// @file
/// How a call of the program's comes to the function that serves it.
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

#include "interpose/mpi/errors.hpp"
#include "interpose/mpi/input_apart.hpp"
#include "interpose/mpi/inside.hpp"
#include "interpose/mpi/meeting.hpp"
#include "interpose/mpi/next.hpp"
#include "interpose/mpi/passed.hpp"
#include "interpose/mpi/serve.hpp"
#include "interpose/report.hpp"
#include "interpose/settings.hpp"

namespace tutti::interpose {

using Word = std::uintptr_t;

/// An argument of C, whose counts in lists are of type `Count`.
template <typename T, typename Count>
T argument(Word word) {
  if constexpr (std::is_same_v<T, Numbers>) {
    return Numbers(reinterpret_cast<const Count*>(word));
  } else if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(word);
  } else if constexpr (std::is_same_v<T, MPI_Count>) {
    // The upper half of a word that holds an int is anything.
    return static_cast<Count>(word);
  } else {
    return static_cast<T>(word);
  }
}

template <auto Serve, typename Count>
struct Entry;

template <typename... Arguments, Served (*Serve)(Taken&, Arguments...), typename Count>
struct Entry<Serve, Count> {
  /// The function of C that is taken over, `name`, with the words that it was called with.
  template <typename Next, std::size_t... K, typename... Words>
  static int call(const char* name, const Next& next, std::index_sequence<K...>, Words... words) {
    const Word all[] = {words...};
    CountedCall call(name);
    const void* const entry = __builtin_frame_address(0);
    const auto comm = argument<MPI_Comm, Count>(all[sizeof...(Arguments)]);
    Taken* const on = taken(comm, name, entry);
    if (on != nullptr) {
      const auto serve = [&] { return Serve(*on, argument<Arguments, Count>(all[K])...); };
      if (const Served code = done_or_raised(*on, serve)) return call.served(*code);
    } else if (is_checked()) {
      const auto passed = [&](const Taken& to) { return passed_by<Serve>(to, argument<Arguments, Count>(all[K])...); };
      if (const auto error = meet_between(comm, name, entry, passed)) return call.forwarded(*error);
    }
    const Inside inside;
    if constexpr (is_wrong_in_place<Serve>) {
      const InputApart input(argument<Arguments, Count>(all[K])..., comm);
      return call.forwarded(next(reinterpret_cast<Word>(input.data()), all[K + 1]...));
    }
    return call.forwarded(next(words...));
  }
};

}  // namespace tutti::interpose
