#include "schedule/choice.hpp"

#include "base/check.hpp"

namespace tutti {

void check_size(const Choice& choice, const Problem& problem, const Layout& layout) {
  // Two operations a message, some 50 bytes each.
  constexpr std::int64_t most_messages = std::int64_t{1} << 26;
  if (!choice.algorithm->claims) return;
  const std::int64_t messages = choice.claims(problem, layout).messages;
  if (messages <= most_messages) return;
  fail(ErrorCode::unsupported, "{} by {} over {} ranks takes {} messages; a schedule holds at most {}",
       name_of(problem.collective), choice.algorithm->name, problem.ranks, messages, most_messages);
}

Schedule record(const Choice& choice, const Problem& problem, const Layout& layout) {
  const Algorithm& algorithm = *choice.algorithm;
  require(problem.collective == algorithm.collective, "{} is an algorithm for {}, not for {}", algorithm.name,
          name_of(algorithm.collective), name_of(problem.collective));
  check(problem);
  check(choice.parameters, problem.ranks);
  check(layout, problem.ranks);
  if (const auto need = unmet_need(algorithm, problem, layout)) {
    fail(ErrorCode::unsupported, "{} {} needs {}; {} does not offer it", name_of(algorithm.collective), algorithm.name,
         describe(*need), describe(problem));
  }
  check_size(choice, problem, layout);
  return record_all(choice, problem, layout);
}

Schedule record_all(const Choice& choice, const Problem& problem, const Layout& layout) {
  return record_all(choice.algorithm->record, problem, choice.parameters, layout);
}

void record_rank(const Choice& choice, const Problem& problem, int rank, Program& program, const Layout& layout) {
  record_rank(choice.algorithm->record, problem, rank, program, choice.parameters, layout);
}

}  // namespace tutti
