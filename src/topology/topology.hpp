/// @file
/// Networks of links: what lies between the ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// Directed links are numbered from 0. A cable is two links, one each way, and carries one message each way at once.
using LinkId = std::int64_t;

/// Cost of one link, if it differs from the machine's parameters.
struct LinkCost {
  double lanes = 1;          ///< parallel lanes: the time per byte is divided by it
  std::optional<double> ts;  ///< seconds a message that starts with this link
  std::optional<double> tw;  ///< seconds a byte, before lanes
  std::optional<double> th;  ///< seconds a hop over this link

  friend bool operator==(const LinkCost&, const LinkCost&) = default;
};

struct Link {
  int from = 0;
  int to = 0;
  LinkCost cost = {};
};

/// Forwarder of a message whose way leads through a rank.
enum class Forwarding : std::uint8_t {
  hardware,  ///< the network: the rank does not notice
  ranks,     ///< the rank itself, as GPUs do for one another: that costs a start more for each rank on the way
};

std::string_view name_of(Forwarding forwarding);

/// A network. Nodes 0 .. ranks() - 1 are the ranks' processors; the others are switches. Every rank reaches every
/// other.
///
/// Large regular networks are never stored: links and routes are computed. Immutable, so any number of threads may ask.
class Topology {
 public:
  virtual ~Topology() = default;

  /// Returns its name on the command line: "mesh:4x4".
  virtual std::string name() const = 0;
  virtual int ranks() const = 0;
  /// Ranks and switches.
  virtual int nodes() const { return ranks(); }
  /// The number of directed links.
  virtual LinkId links() const = 0;
  /// The ends and costs of a link in [0, links()).
  virtual Link link(LinkId id) const = 0;

  /// Appends the links from rank `from` to rank `to`, in order, by the family's own routing; nothing where they are
  /// equal.
  virtual void route(int from, int to, std::vector<LinkId>& path) const = 0;
  /// The number of links of the route between two ranks. Routes are shortest ways, but for dragonflies': theirs are
  /// local, global, local, and two global links may be fewer in all.
  virtual int distance(int from, int to) const;
  /// Appends the links out of node `at` that begin a way to rank `to` of as many links as the route has, in a fixed
  /// order: the choices of adaptive routing. Of a dragonfly that is the link of the route alone.
  virtual void choices(int at, int to, std::vector<LinkId>& links) const = 0;

  /// Whether every link has one lane and the machine's own parameters, so that nobody needs to ask for each.
  virtual bool uniform() const { return true; }
  /// Whether no two pairs of ranks share a link, so that congestion cannot occur.
  virtual bool dedicated() const { return false; }
  /// Returns who forwards if nothing else is asked for: processors of grids and hypercubes have routers, GPUs have
  /// none.
  virtual Forwarding forwarding() const { return Forwarding::hardware; }
  /// Seconds a byte on one lane, where the network is of a kind that has a usual one.
  virtual std::optional<double> usual_tw() const { return std::nullopt; }
  /// The number of cables that a cut into two halves of the ranks must cross at least, lanes counted; the families'
  /// closed form, or by search over the halves of up to 16 ranks; none where neither is at hand.
  virtual std::optional<double> bisection() const;
};

/// The route as a list.
std::vector<LinkId> route_of(const Topology& topology, int from, int to);

/// Whether messages can take the link: one between two ranks is the whole route from the one to the other. Grids number
/// links over their open ends, too, and a second one between the ends of a line of two; neither is on any route.
bool leads_somewhere(const Topology& topology, LinkId id);

/// The greatest distance between two ranks. O(p^2).
int diameter(const Topology& topology);
/// The mean distance over ordered pairs of different ranks; 0 for one rank. O(p^2).
double mean_distance(const Topology& topology);

}  // namespace tutti
