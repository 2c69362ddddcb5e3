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
inline constexpr std::string_view slides_2 = "Slide transcript, Basic Communication Operations: possible variants, # of nodes";
inline constexpr std::string_view article = "Encyclopedia article, Hypercube (communication pattern)";
inline constexpr std::string_view notes = "Lecture notes (Chinese), All2All on ring, mesh, hypercube and full connection";
inline constexpr std::string_view lecture = "Lecture transcript, A Basic Model of Distributed Memory";

/// The families of networks that the rows are about.
enum class Family : std::uint8_t { full, linear, ring, mesh, mesh_3d, any_mesh, hypercube, tree };

/// A network of the family; the grid for mesh algorithms, empty for other networks.
struct Network {
  TopologyPtr topology;
  Shape grid;
};

/// In words, for the row's `topology`.
std::string_view name_of(Family family);
/// What the family needs: "p = r²"; empty where any number of ranks will do.
std::string_view needs_of(Family family);
/// Nothing where the family has no network of that many ranks.
std::optional<Network> network_of(Family family, int ranks);

Machine machine_of(const Parameters& parameters, Switching switching);

/// The time that both engines find; `agrees` becomes false where they differ. In rounds, and at each rank's own pace.
double simulated(Workload& workload, const Topology& topology, const Machine& machine, Answer& answer);

/// Adds a sentence to the note.
void add_note(Answer& answer, std::string_view sentence);

}  // namespace tutti::textbook
