/// @file
/// What the links of a network allow on a machine: the material of lower bounds.
#pragma once

#include <vector>

#include "schedule/problem.hpp"
#include "topology/cut.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// How fast ranks can send and receive through one port.
struct PortSpeeds {
  double least_ts = 0;      ///< what a message costs at least, whoever sends it
  double least_time = 0;    ///< seconds a byte over the fastest link at any rank
  std::vector<double> out;  ///< where ranks differ: seconds a byte over the fastest link out of each
  std::vector<double> in;   ///< the same for links that end there
  double most_ts = 0;       ///< what a message costs at most, whoever sends it
};

PortSpeeds port_speeds(const Topology& topology, const Machine& machine);

/// Bytes a second over all the links together; infinite where a byte costs nothing on one of them.
double speed_of(const std::vector<LinkClass>& links, const Machine& machine);

/// What all links carry together.
struct LinkLoads {
  double crossings = 0;  ///< elements times links, without links on which bytes cost nothing
  double speed = 0;      ///< bytes a second over all links on which they cost something
};

LinkLoads link_loads(const Problem& problem, const Topology& topology, const Machine& machine);

}  // namespace tutti
