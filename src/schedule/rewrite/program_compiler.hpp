/// @file
/// Compiler of programs: operations become steps of sends and folds, messages get their numbers.
#pragma once

#include <cstdint>

#include "schedule/record/recording_pool.hpp"
#include "schedule/rewrite/compiled_program.hpp"

namespace tutti {

/// Purpose of compiling. A reader that only counts needs neither direct stores nor the pool of slices.
enum class CompiledFor : std::uint8_t { running, pricing };

/// Compiles the program. Throws `Error(unsupported)` where more than most_messages go to one peer. Time: O(operations),
/// and for running what find_direct_stores() and find_receiver_copies() say.
CompiledProgram compile(const Program& program, CompiledFor use = CompiledFor::running);
/// Compiles the program into `compiled`, whose memory is reused, with memory of the pool.
void compile_into(RecordingPool& pool, CompiledProgram& compiled, const Program& program, CompiledFor use);

}  // namespace tutti
