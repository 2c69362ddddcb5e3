/// @file
/// All of tutti.
#pragma once

#include "tutti/communicator.hpp"
#include "tutti/error.hpp"
#include "tutti/memory.hpp"
#include "tutti/operators.hpp"
#include "tutti/options.hpp"
#include "tutti/reproducible.hpp"
#include "tutti/reshape.hpp"
#include "tutti/run.hpp"
#include "tutti/types.hpp"
#include "tutti/world.hpp"
