#include "algorithms/own.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "algorithms/table.hpp"
#include "base/check.hpp"

namespace tutti::algorithms {
namespace {

struct Node {
  std::string name;
  Algorithm algorithm;
  Admission admission;
  const Node* next = nullptr;
};

// A list that only grows, so that whoever looks needs no lock. Nothing of it is ever freed: handles of plans and static
// objects may use algorithms until the program ends.
std::atomic<const Node*>& first() {
  static std::atomic<const Node*> head = nullptr;
  return head;
}

const Algorithm* find_from(const Node* node, Collective collective, std::string_view name) {
  for (; node != nullptr; node = node->next) {
    if (node->algorithm.collective == collective && node->name == name) return &node->algorithm;
  }
  return nullptr;
}

}  // namespace

const Algorithm& add_own(std::string name, Algorithm algorithm, Admission admission) {
  const Collective collective = algorithm.collective;
  auto node = std::make_unique<Node>();
  node->name = std::move(name);
  node->algorithm = std::move(algorithm);
  node->algorithm.name = node->name;
  node->admission = std::move(admission);
  node->next = first().load(std::memory_order_acquire);
  // Acquire, and release: who finds a node sees what it holds.
  do {
    require(find_listed(collective, node->name) == nullptr && find_from(node->next, collective, node->name) == nullptr,
            "{} has an algorithm '{}' already; give yours another name", name_of(collective), node->name);
  } while (!first().compare_exchange_weak(node->next, node.get(), std::memory_order_acq_rel));
  return node.release()->algorithm;
}

void admit(const Algorithm& algorithm, const Problem& problem) {
  for (const Node* node = first().load(std::memory_order_acquire); node != nullptr; node = node->next) {
    if (&node->algorithm == &algorithm && node->admission) node->admission(algorithm, problem);
  }
}

const Algorithm* find_own(Collective collective, std::string_view name) {
  return find_from(first().load(std::memory_order_acquire), collective, name);
}

}  // namespace tutti::algorithms
