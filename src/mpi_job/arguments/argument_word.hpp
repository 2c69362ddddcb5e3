/// @file
/// Arguments of MPI's functions of C as words of the machine.
///
/// An entry takes words, and forwards the words that came: a library that is preloaded into a program of the other MPI,
/// whose handles are of another type, does no harm.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <type_traits>

#include "mpi_job/arguments/numbers.hpp"
#include "mpi_job/arguments/types.hpp"

namespace tutti::interpose {

using Word = std::uintptr_t;

/// An argument of C, whose counts in lists are of type `Count`.
template <typename T, typename Count>
T argument(Word word) {
  if constexpr (std::is_same_v<T, Numbers>) {
    return Numbers(reinterpret_cast<const Count*>(word));
  } else if constexpr (std::is_same_v<T, Types>) {
    return Types(word);
  } else if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(word);
  } else if constexpr (std::is_same_v<T, MPI_Count>) {
    // The upper half of a word that holds an int is anything.
    return static_cast<Count>(word);
  } else {
    return static_cast<T>(word);
  }
}

/// The handle in a word of the machine.
template <typename Handle>
Handle handle_in(std::uintptr_t word) {
  if constexpr (std::is_pointer_v<Handle>) {
    return reinterpret_cast<Handle>(word);
  } else {
    return static_cast<Handle>(word);
  }
}

}  // namespace tutti::interpose
