/// @file
/// Races in an MSCCL file: steps that touch the same chunks, and that nothing orders.
#pragma once

#include <string>

#include "schedule_file/msccl.hpp"

namespace tutti::msccl {

/// Throws `Error(invalid_argument)` where steps of two thread blocks of a GPU touch the same chunk, one of them writes
/// it, and neither comes after the other whatever the timing: it names both. Needs a file in which every step is done
/// at last, and who has sent what each receives.
///
/// A step comes after the one before it in its thread block, the one that its depid and deps name, and the one that
/// sends what it receives; and after whatever these come after. MSCCL's sends are buffered: that a message has been
/// received says nothing to its sender.
///
/// Time: for each 16 thread blocks of a GPU O(its steps × the other steps that touch the same chunks last), and where
/// messages are needed to see an order, O(the steps of the file). Memory: 16 numbers a step.
void check_orders_its_steps(const MscclAlgorithm& algorithm, const Senders& senders, const std::string& name);

}  // namespace tutti::msccl
