/// @file
/// Programs of tutti that begin again with the heap that ranks share.
#pragma once

namespace tutti::runtime {

/// Has the linker take what is done when a program begins:
///
/// `tutti run` preloads the heap that ranks share; an mpirun knows nothing of it, so that malloc() is the C library's,
/// and every buffer is copied. A program that an mpirun has started beside others on its host therefore becomes itself
/// once more, with LD_PRELOAD set, before its main() and before its own static objects are made. The process, its
/// descriptors, arguments and all other variables stay.
///
/// The program stays as it is where TUTTI_HEAP=0 or TUTTI_SHARED_MEMORY=0 is set, where the library is not found, where
/// malloc() is not the C library's (another allocator, a sanitizer), under valgrind, and where this code came into it
/// later (dlopen(), a module of an interpreter), because then its main() may have begun.
void link_reexecution() noexcept;

}  // namespace tutti::runtime
