/// @file
/// Visibility of symbols in the shared library.
#pragma once

/// Marks what programs link against. Everything else of the library is compiled hidden.
#define TUTTI_API [[gnu::visibility("default")]]
