/// @file
/// From where in the program a collective was called, in words: what TUTTI_MPI_CHECK adds to an error.
#pragma once

#include <string>

namespace tutti::interpose {

/// The functions that called into this library, or into MPI where this thread is there, the innermost first, one
/// "function (file:line)" each and at most `most`: "sum_up (solver.c:41), main (main.c:12)". What was compiled without
/// -g has its name and place in its file alone.
std::string call_site(int most);

}  // namespace tutti::interpose
