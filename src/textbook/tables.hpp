/// @file
/// The textbook as a table: every claim about a time, from its formula and from simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cost/closed_form.hpp"
#include "simulate/simulate.hpp"
#include "topology/families/families.hpp"
#include "topology/machine.hpp"

namespace tutti::textbook {

/// Instance that the rows are evaluated for. m is `bytes`, by each collective's own convention.
struct Instance {
  int ranks = 64;
  std::int64_t bytes = 1024;  ///< at least 1
  int distance = 5;           ///< distance of shifts, modulo the ranks
  double ts = 1e-6;
  double tw = 1e-9;
  double th = 1e-7;
};

/// Answer of one row for an instance, in seconds.
struct Answer {
  std::optional<double> closed_form;  ///< none for rows that state a bound
  std::optional<double> simulated;    ///< none where the row needs another instance
  std::optional<double> bound;        ///< rows that say "at most"
  std::string note;                   ///< remark on what the row needs, assumes or says otherwise; may be empty
  bool agrees = true;                 ///< both engines, and the closed form or the bound, to a relative 1e-9
};

/// One claim of a source document.
struct Row {
  std::string_view id;          ///< "broadcast.ring.sf"
  std::string_view collective;  ///< or "point-to-point"
  std::string_view algorithm;
  std::string_view topology;  ///< "ring", "torus r x r"
  Switching switching = Switching::alpha_beta;
  std::string_view formula;
  std::string_view sources;
  std::function<Answer(const Instance& instance)> answer;
};

/// Whether two times are the same but for rounding: to a relative 1e-9.
bool same_time(double a, double b);

std::vector<Row> point_to_point_rows();
std::vector<Row> collective_rows();
std::vector<Row> shift_bound_rows();

// The documents, by their titles.
inline constexpr std::string_view slides = "Grama et al. slides, Basic Communication Operations";
inline constexpr std::string_view slides_2 =
    "Slide transcript, Basic Communication Operations: possible variants, # of nodes";
inline constexpr std::string_view article = "Encyclopedia article, Hypercube (communication pattern)";
inline constexpr std::string_view notes =
    "Lecture notes (Chinese), All2All on ring, mesh, hypercube and full connection";
inline constexpr std::string_view lecture = "Lecture transcript, A Basic Model of Distributed Memory";

/// The families of networks that the rows are about.
enum class NetworkFamily : std::uint8_t { full, linear, ring, mesh, mesh_3d, any_mesh, hypercube, tree };

/// A network of the family; the grid for mesh algorithms, empty for other networks.
struct Network {
  TopologyPtr topology;
  Shape grid;
  TopologyPtr with_ends = nullptr;  ///< a ring or a torus without wrap-around
};

/// In words, for the row's `topology`.
std::string_view name_of(NetworkFamily family);
/// Returns the family's condition: "p = r²"; empty if any number of ranks will do.
std::string_view needs_of(NetworkFamily family);
/// Nothing where the family has no network of that many ranks.
std::optional<Network> network_of(NetworkFamily family, int ranks);

Machine machine_of(const Instance& instance, Switching switching);

/// Engines that a row is about. In rounds a message that is stored and forwarded is on all links of its way at once,
/// and shares them; at the ranks' own pace it is on one link at a time. The two differ if ways have several links and
/// overlap.
enum class Engines : std::uint8_t { both, flows };

/// The time that the engines find; `agrees` becomes false where they differ.
/// Above `most_ranks_for_both` ranks at the ranks' own pace alone.
double simulated(Workload& workload, const Topology& topology, const Machine& machine, Answer& answer,
                 Engines engines = Engines::both);
inline constexpr int most_ranks_for_both = 1024;

/// Adds to the note whether the simulated time is the same without wrap-around. Nothing where the network has none, or
/// more than `most_ranks_for_both` ranks.
void note_wrap_around(Answer& answer, const Network& network, Workload& workload, const Machine& machine);

/// Adds a sentence to the note.
void add_note(Answer& answer, std::string_view sentence);

/// All rows, in the order of the textbook's chapters.
std::span<const Row> rows();

/// Whether a row is of that algorithm.
bool has_row(const Algorithm& algorithm);

}  // namespace tutti::textbook
