/// @file
/// The procedures of the sources as programs: as printed, and as mended where the print is wrong.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "schedule/model/problem.hpp"

namespace tutti {

struct Procedure {
  std::string_view name;       ///< "procedure-5"
  std::string_view title;      ///< title, as its text begins
  Collective collective;       ///< collective that it is
  std::string_view algorithm;  ///< algorithm of the catalogue: it sends these messages, less those that nobody needs
  std::string_view needs;      ///< a sentence's end: "a power of two of ranks"; empty: any number
  std::string_view printed;    ///< text of examples/procedures
  std::string_view mended;     ///< empty where the print is right
  std::string_view mistake;    ///< mistake of the print, one sentence; empty where there is none
};

/// All of them, in the order of their numbers.
std::span<const Procedure> procedures();
/// The name in its source, "GENERAL_ONE_TO_ALL_BC": its title before the arguments.
std::string_view source_name(const Procedure& procedure);

/// Text of a procedure: "procedure-5" is as printed, "procedure-5-mended" as mended.
struct ProcedureText {
  const Procedure* procedure = nullptr;
  bool mended = false;

  std::string_view text() const { return mended ? procedure->mended : procedure->printed; }
};

/// The one of that name, or of the name that its source gives it, in letters of either case; nothing where there is none, or nothing was to be mended.
std::optional<ProcedureText> procedure_named(std::string_view name);

}  // namespace tutti
