/// @file
/// This command as one of the ranks that a launcher has started.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/command_line/outcome.hpp"
#include "app/command_line/terminal.hpp"
#include "launch/launch.hpp"
#include "predict/profile/profile.hpp"
#include "tuning/observe.hpp"
#include "tutti/communicator.hpp"

namespace tutti::app {

struct Launched {
  std::string launcher;                        ///< "tutti run", "the mpirun of Open MPI"
  Transport transport = Transport::processes;  ///< between its ranks
  bool is_first = false;                       ///< whether this is rank 0, which speaks for all
};

/// Nothing where the command was started by itself.
std::optional<Launched> launched();

/// Returns the path of this command; empty where the system does not say.
std::string own_program();

/// Whether ranks that it connects are started as processes of this machine: start_again_as_ranks().
bool is_of_processes(std::optional<Transport> transport);

/// Becomes `tutti run -n RANKS` of the same command line, with a heap that ranks share or without, as the transport
/// says. Throws `Error(internal)` where that cannot be started.
[[noreturn]] void start_again_as_ranks(int ranks, Transport transport);

/// Kills this process by the signal if the run was interrupted: a shell that runs a script would go on otherwise.
void die_if_interrupted(const launch::Ending& ending);

/// Throws `Error(invalid_argument)` where a transport was asked for that is not the one between the launcher's ranks.
/// Processes without a shared heap are processes, too.
void check_transport(const Launched& launched, std::optional<Transport> asked);

/// Throws `Error(invalid_argument)` where a number of ranks was asked for that is not the launcher's.
void check_ranks(const Launched& launched, std::optional<int> asked);

/// `prepare` on each of the launcher's ranks, and then `act`, a collective call whose outcome on rank 0 is the
/// command's. Where either throws `Error(invalid_argument)`, rank 0 says for all what is wrong: what `act` throws so,
/// it throws on every rank. Of another rank's failure the launcher speaks, and rank 0 may have failed by its outcome
/// alone, before the others are at the end: they end well.
Outcome speak_as_ranks(const Launched& launched, const std::function<void()>& prepare,
                       const std::function<Outcome()>& act);

/// Returns the bar on rank 0 if standard error is a terminal; an empty function elsewhere.
inline TrialProgress measuring_bar(const Communicator& comm) {
  const bool is_shown = comm.rank() == 0 && static_cast<bool>(progress_bar("measuring", 1));
  if (!is_shown) return {};
  return [](std::size_t made, std::size_t trials) { progress_bar("measuring", trials)(made); };
}

/// Removes the bar of rank 0.
inline void clear_measuring_bar(const Communicator& comm) {
  if (comm.rank() == 0) clear_progress_bar();
}

}  // namespace tutti::app
