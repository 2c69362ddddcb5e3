/// @file
/// What the shared library shows of itself.
#pragma once

/// Marks what programs link against. Everything else of the library is compiled hidden.
#define TUTTI_API [[gnu::visibility("default")]]
