#include "app/commands/machine/launched.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "base/system/environment.hpp"
#include "base/units.hpp"
#include "heap/own_arena.hpp"
#include "transport/command_words.hpp"
#include "transport/mpi/mpi_start.hpp"
#include "tutti/world.hpp"

namespace tutti::app {
namespace {

// Returns when rank 0 has said what is wrong for all ranks: where another one ended before, it would be told of that.
void wait_for_first_rank() {
  try {
    world().barrier();
  } catch (const Error&) {
    return;  // rank 0 has ended
  }
}

}  // namespace

std::optional<Launched> launched() {
  if (environment_variable("TUTTI_SEGMENT") != nullptr) {
    const char* const rank = environment_variable("TUTTI_RANK");
    const bool shares_heap = heap::own_arena().base != 0;
    return Launched{"tutti run", shares_heap ? Transport::processes : Transport::system_copies,
                    rank == nullptr || std::string_view(rank) == "0"};
  }
  if (const auto start = runtime::mpi_start())
    return Launched{fmt::format("the mpirun of {}", start->mpi), Transport::mpi, start->rank == "0"};
  return std::nullopt;
}

std::string own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

bool is_of_processes(std::optional<Transport> transport) {
  return transport == Transport::processes || transport == Transport::system_copies;
}

void start_again_as_ranks(int ranks, Transport transport) {
  const std::string self = own_program();
  std::vector<std::string> words{self, "run", "-n", std::to_string(ranks)};
  if (transport == Transport::system_copies) words.insert(words.end(), {"--heap", "off"});
  words.push_back(self);
  const std::vector<std::string> own = runtime::own_command();
  words.insert(words.end(), own.begin() + 1, own.end());
  execv(self.c_str(), runtime::pointers_to(words).data());
  fail(ErrorCode::internal, "{} cannot be started again", self);
}

void die_if_interrupted(const launch::Ending& ending) {
  if (!ending.interrupted) return;
  std::signal(SIGINT, SIG_DFL);
  std::raise(SIGINT);
}

void check_ranks(const Launched& launched, std::optional<int> asked) {
  const int ranks = world().size();
  require(asked.value_or(ranks) == ranks, "{} started this command as {}; leave --ranks {} out", launched.launcher,
          counted(ranks, "rank"), asked.value_or(ranks));
}

void check_transport(const Launched& launched, std::optional<Transport> asked) {
  const bool is_it =
      asked == launched.transport || (asked == Transport::processes && is_of_processes(launched.transport));
  require(!asked || is_it, "{} started this command as {} ({}), not as {}; leave --transport out", launched.launcher,
          counted(world().size(), "rank"), name_of(launched.transport), name_of(asked.value_or(launched.transport)));
}

Outcome speak_as_ranks(const Launched& launched, const std::function<void()>& prepare,
                       const std::function<Outcome()>& act) {
  try {
    prepare();
    const Outcome outcome = act();
    return world().rank() == 0 ? outcome : Outcome{};
  } catch (const Error& error) {
    const bool has_peer_failed = error.code() == ErrorCode::peer_failed;
    if (launched.is_first || !(has_peer_failed || error.code() == ErrorCode::invalid_argument)) throw;
    wait_for_first_rank();
    return {{}, has_peer_failed ? 0 : bad_usage};
  }
}

}  // namespace tutti::app
