/// @file
/// Speeds of a network's links on a machine: the material of lower bounds.
#pragma once

#include <vector>

#include "schedule/model/problem.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/machine.hpp"

namespace tutti {

/// Speeds at which ranks can send and receive through one port.
struct PortSpeeds {
  double least_ts = 0;      ///< least start-up time of a message, whoever sends it
  double least_time = 0;    ///< seconds a byte over the fastest link at any rank
  std::vector<double> out;  ///< seconds a byte over the fastest link out of each rank, if ranks differ
  std::vector<double> in;   ///< seconds a byte over the fastest link into each rank, if ranks differ
  double most_ts = 0;       ///< greatest start-up time of a message, whoever sends it
};

PortSpeeds port_speeds(const Topology& topology, const Machine& machine);

/// Bytes a second over all the links together; infinite where a byte costs nothing on one of them.
double speed_of(const std::vector<LinkClass>& links, const Machine& machine);

/// Load of all links together.
struct LinkLoads {
  double crossings = 0;  ///< elements times links, without links on which bytes cost nothing
  double speed = 0;      ///< bytes a second over all links on which they cost something
};

LinkLoads link_loads(const Problem& problem, const Topology& topology, const Machine& machine);

/// Returns, if ranks forward (topology/topology.hpp), the most messages, one after the other, by which something must
/// reach a rank that needs it; 1 if they do not, and for networks of more than 2^22 links times ranks.
int messages_on_longest_way(const Problem& problem, const Topology& topology, const Machine& machine);

}  // namespace tutti
