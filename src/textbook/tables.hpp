/// @file
/// The tables of rows and what they share.
#pragma once

#include <vector>

#include "cost/closed_form.hpp"
#include "simulate/simulate.hpp"
#include "textbook/rows.hpp"
#include "topology/families.hpp"

namespace tutti::textbook {

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
enum class Family : std::uint8_t { full, linear, ring, mesh, mesh_3d, any_mesh, hypercube, tree };

/// A network of the family; the grid for mesh algorithms, empty for other networks.
struct Network {
  TopologyPtr topology;
  Shape grid;
  TopologyPtr with_ends = nullptr;  ///< of a ring or a torus, the same without wrap-around
};

/// In words, for the row's `topology`.
std::string_view name_of(Family family);
/// What the family needs: "p = r²"; empty where any number of ranks will do.
std::string_view needs_of(Family family);
/// Nothing where the family has no network of that many ranks.
std::optional<Network> network_of(Family family, int ranks);

Machine machine_of(const Instance& instance, Switching switching);

/// Which engines a row is about. In rounds a message that is stored and forwarded is on all links of its way at once,
/// and shares them; at the ranks' own pace it is on one link at a time. The two differ where ways have several links
/// and overlap.
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

}  // namespace tutti::textbook
