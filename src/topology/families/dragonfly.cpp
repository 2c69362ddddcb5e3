/// @file
/// The dragonfly: all-to-all groups of routers, one cable between every two groups.
///
/// With g = a h + 1 groups, router i of group G holds the cables to the groups G + 1 + i h … G + (i + 1) h (mod g).
/// Links are numbered rank to router and back, then router to router within groups, then router to group.

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/integers.hpp"
#include "topology/cuts/cut.hpp"
#include "topology/families/families.hpp"

namespace tutti {
namespace {

class Dragonfly final : public Topology, public NamesItsCuts {
 public:
  Dragonfly(int ranks_each, int routers, int global_links)
      : each_(ranks_each), routers_(routers), global_(global_links), groups_(routers * global_links + 1) {}

  std::string name() const override { return fmt::format("dragonfly:{}x{}x{}", each_, routers_, global_); }
  int ranks() const override { return each_ * routers_ * groups_; }
  int nodes() const override { return ranks() + routers_ * groups_; }
  LinkId links() const override { return first_global() + LinkId{groups_} * routers_ * global_; }

  Link link(LinkId id) const override {
    if (id < first_local()) {
      const int rank = static_cast<int>(id / 2);
      const int router = ranks() + rank / each_;
      return id % 2 == 0 ? Link{rank, router} : Link{router, rank};
    }
    if (id < first_global()) {
      const auto from = static_cast<int>((id - first_local()) / routers_);
      const auto to = static_cast<int>((id - first_local()) % routers_);
      return {ranks() + from, ranks() + from / routers_ * routers_ + to};
    }
    const auto cable = static_cast<int>(id - first_global());
    const int group = cable / (routers_ * global_);
    const int other = (group + 1 + cable % (routers_ * global_)) % groups_;
    return {ranks() + group * routers_ + gate(group, other), ranks() + other * routers_ + gate(other, group)};
  }

  void route(int from, int to, std::vector<LinkId>& path) const override {
    if (from == to) return;
    path.push_back(LinkId{2} * from);
    int router = from / each_;
    const int goal = to / each_;
    const int group = router / routers_;
    const int goal_group = goal / routers_;
    if (group != goal_group) {
      go_local(router, group * routers_ + gate(group, goal_group), path);
      path.push_back(first_global() + LinkId{group} * routers_ * global_ + modulo(goal_group - group - 1, groups_));
      router = goal_group * routers_ + gate(goal_group, group);
    }
    go_local(router, goal, path);
    path.push_back(LinkId{2} * to + 1);
  }

  // One cable between two groups leaves no choice among ways that are local, global, local. A way over two global links
  // may have fewer links than that, and is never taken.
  void choices(int at, int to, std::vector<LinkId>& links) const override {
    if (at == to) return;
    std::vector<LinkId> path;
    if (at < ranks()) {
      path.push_back(LinkId{2} * at);
    } else {
      // Any rank of the router takes the same way from there.
      const int neighbour = (at - ranks()) * each_;
      if (neighbour / each_ == to / each_) {
        path.push_back(LinkId{2} * to + 1);
      } else {
        route(neighbour, to, path);
        path.erase(path.begin());
      }
    }
    links.push_back(path.front());
  }

  std::vector<LinkClass> link_classes() const override {
    const double routers = static_cast<double>(routers_) * groups_;
    return {{LinkCost{}, 2.0 * ranks() + routers * (routers_ - 1 + global_)}};
  }
  std::optional<LinkCost> cost_at_ranks() const override { return LinkCost{}; }

  // The anchor itself, the ranks of its router, and those of its group and of more groups after it.
  std::vector<Cut> cuts(int anchor) const override {
    std::vector<Cut> found;
    const auto add = [&](std::int64_t size, std::function<bool(int)> inside, double links) {
      if (size >= ranks()) return;
      found.push_back({size, std::move(inside), {{LinkCost{}, links}}});
      found.push_back(turned(found.back(), ranks()));
    };
    add(
        1, [anchor](int rank) { return rank == anchor; }, 1);
    const auto at_router = [anchor, each = each_](int rank) { return rank / each == anchor / each; };
    add(each_, at_router, routers_ - 1 + global_);
    const int of_group = each_ * routers_;
    for (const int n : lengths_to_cut(groups_)) {
      const auto inside = [=, group = anchor / of_group, all = groups_](int rank) {
        return modulo(rank / of_group - group, all) < n;
      };
      add(std::int64_t{n} * of_group, inside, static_cast<double>(n) * (groups_ - n));
    }
    return found;
  }

 private:
  LinkId first_local() const { return LinkId{2} * ranks(); }
  LinkId first_global() const { return first_local() + LinkId{groups_} * routers_ * routers_; }

  // The router of `group` that holds the cable to `other`.
  int gate(int group, int other) const { return modulo(other - group - 1, groups_) / global_; }

  // Within a group, over the link between the two routers.
  void go_local(int& router, int goal, std::vector<LinkId>& path) const {
    if (router != goal) path.push_back(first_local() + LinkId{router} * routers_ + goal % routers_);
    router = goal;
  }

  int each_;
  int routers_;
  int global_;
  int groups_;
};

}  // namespace

TopologyPtr dragonfly_topology(int ranks_each, int routers, int global_links) {
  require(ranks_each >= 1 && routers >= 1 && global_links >= 1,
          "a dragonfly has at least 1 rank a router, 1 router a group and 1 global link a router, not {}, {} and {}",
          ranks_each, routers, global_links);
  const double ranks = static_cast<double>(ranks_each) * routers * (static_cast<double>(routers) * global_links + 1);
  require(ranks * (routers + global_links) < 1e9, "a dragonfly of {} ranks is too large", ranks);
  return std::make_shared<Dragonfly>(ranks_each, routers, global_links);
}

}  // namespace tutti
