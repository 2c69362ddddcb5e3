/// @file
/// All of tutti.
#pragma once

#if __cplusplus < 202002L
#error "tutti needs C++20: compile with -std=c++20"
#else
#include "tutti/communicator.hpp"
#include "tutti/error.hpp"
#include "tutti/memory.hpp"
#include "tutti/operators.hpp"
#include "tutti/options.hpp"
#include "tutti/reproducible.hpp"
#include "tutti/reshape.hpp"
#include "tutti/run.hpp"
#include "tutti/types.hpp"
#include "tutti/version.h"
#include "tutti/world.hpp"
#endif
