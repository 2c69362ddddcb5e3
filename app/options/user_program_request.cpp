#include "app/options/user_program_request.hpp"

#include <fmt/format.h>

#include <optional>

#include "app/command_line/files.hpp"
#include "base/check.hpp"
#include "base/units.hpp"
#include "user_programs/procedures.hpp"

namespace tutti::app {
namespace {

constexpr std::int64_t usual_bytes = 1024;

std::optional<ProcedureText> procedure_of(const Request& request) {
  const bool named = request.user_kind == UserKind::program && request.user_words.size() == 1;
  return named ? procedure_named(request.user_words.front()) : std::nullopt;
}

}  // namespace

UserProgram user_program(const Request& request) {
  require(!request.algorithm, "messages and programs have no algorithm; leave --algorithm out");
  const std::optional<ProcedureText> procedure = procedure_of(request);
  const bool is_program = request.user_kind == UserKind::program;
  require(!(request.root && !is_program) && !request.distance && !request.nodes,
          "--root, --distance and --nodes are for collectives; leave them out");
  require(!request.patch || is_program, "--patch is for programs; leave it out");
  require(!request.counts && !request.segments && !request.non_commutative && !request.radix,
          "--counts, --segments, --radix and --non-commutative are for collectives; leave them out");
  require(!request.ranks || request.ranks->first == request.ranks->last, "one number of ranks is needed, not a range");
  const int ranks = request.ranks ? request.ranks->first : 0;
  const std::int64_t bytes = request.count.value_or(usual_bytes);
  require(bytes >= 1, "a message has at least one byte, not {}", bytes);
  if (request.user_kind == UserKind::messages) {
    require(ranks > 0, "a network is needed, or a number of ranks: --topology linear:8 or --ranks 8");
    return program_of_messages(request.user_words, ranks, bytes);
  }
  const bool schedule = request.user_kind == UserKind::schedule;
  require(request.user_words.size() == 1, "a {0} is one file, such as: tutti verify {0} {1}",
          schedule ? "schedule" : "program", schedule ? "ring.json" : "exchange.txt");
  const std::string& file = request.user_words.front();
  if (schedule) {
    UserProgram program = program_of_schedule(read_file(file), file, request.count);
    require(ranks == 0 || ranks == program.schedule.problem.ranks, "{} is over {}, not over {}", file,
            counted(program.schedule.problem.ranks, "rank"), ranks);
    return program;
  }
  UserProgram program = program_of_text(procedure ? std::string(procedure->text()) : read_file(file), file,
                                        {ranks, bytes, request.root, request.patch});
  if (procedure && !procedure->mended && !procedure->procedure->mistake.empty())
    program.notes.push_back(
        fmt::format("{} is as printed. {} Its mended text is {}-mended", file, procedure->procedure->mistake, file));
  return program;
}

}  // namespace tutti::app
