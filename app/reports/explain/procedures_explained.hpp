/// @file
/// `tutti explain procedure-5`: a procedure's lines, and beside each what the ranks do there.
#pragma once

#include "app/command_line/outcome.hpp"
#include "app/options/request.hpp"
#include "user_programs/procedures.hpp"

namespace tutti::app {

/// Explains a procedure: its lines, and beside each the actions of the ranks there, turn by turn.
Outcome explain_procedure(const ProcedureText& procedure, const Request& request);
/// A row for each.
Outcome explain_procedures(bool json);

}  // namespace tutti::app
