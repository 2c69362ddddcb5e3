#include "predict/model/node_link.hpp"

#include <algorithm>

#include "predict/replay/rank_programs.hpp"

namespace tutti {

NodeLink::NodeLink(RecordingContext& context, const LevelCosts& costs, const Choice& choice, const Problem& problem,
                   double element_size, int rank)
    : context_(context),
      costs_(costs),
      choice_(choice),
      problem_(problem),
      element_size_(element_size),
      rank_(rank),
      program_(context.pool()) {
  if (!costs.has_levels()) return;
  constexpr std::size_t most = 16;
  node_ = costs.layout().ranks_on(costs.layout().node_of(rank));
  uses_.resize(std::min(node_.size(), most));
  turns_ = turns_of(choice, problem);
  program_->ops.clear();
}

void NodeLink::know(int rank, const AcrossNodes& bytes) {
  for (std::size_t k = 0; k < uses_.size(); ++k) {
    if (rank_at(k) == rank) uses_[k] = bytes;
  }
}

bool NodeLink::look_at_next() {
  const auto next = std::find(uses_.begin(), uses_.end(), std::nullopt);
  if (next == uses_.end()) return false;
  const int rank = rank_at(static_cast<std::size_t>(next - uses_.begin()));
  record(rank);
  *next = bytes_across_of(rank);
  if (rank == rank_) sketch_ = sketch_of(costs_, rank, *program_, element_size_, turns_ ? &*turns_ : nullptr);
  return true;
}

void NodeLink::record(int rank) {
  if (turns_ && !program_->ops.empty()) return;
  record_rank(context_, choice_, problem_, turns_ ? 0 : rank, *program_, costs_.layout(), Detail::messages);
  if (turns_) by_peer_ = traffic_by_peer(*program_, problem_.ranks);
}

AcrossNodes NodeLink::bytes_across_of(int rank) const {
  return turns_ ? bytes_across(costs_, rank, by_peer_, element_size_, *turns_)
                : bytes_across(costs_, rank, *program_, element_size_);
}

double NodeLink::least() const {
  if (uses_.empty()) return 0;
  AcrossNodes others;
  for (std::size_t k = 1; k < uses_.size(); ++k) others.add(uses_[k].value_or(AcrossNodes()), 1);
  AcrossNodes all = uses_.front().value_or(AcrossNodes());
  if (uses_.size() > 1) all.add(others, static_cast<double>(node_.size() - 1) / static_cast<double>(uses_.size() - 1));
  return seconds_of(all);
}

double NodeLink::likely() const {
  AcrossNodes all;
  double known = 0;
  for (const std::optional<AcrossNodes>& use : uses_) {
    all.add(use.value_or(AcrossNodes()), 1);
    known += use ? 1 : 0;
  }
  return known == 0 ? 0 : seconds_of(all) / known * static_cast<double>(node_.size());
}

double NodeLink::at_most(double bytes) const {
  if (uses_.empty()) return 0;
  const double each_stands_for =
      uses_.size() > 1 ? static_cast<double>(node_.size() - 1) / static_cast<double>(uses_.size() - 1) : 1;
  return seconds_of({.out = each_stands_for * bytes, .in = each_stands_for * bytes});
}

double NodeLink::seconds_of(const AcrossNodes& bytes) const {
  return costs_.between_nodes().link_byte * std::max(bytes.out, bytes.in);
}

int NodeLink::rank_at(std::size_t k) const {
  return k == 0 ? node_.front() : node_[k * (node_.size() - 1) / (uses_.size() - 1)];
}

}  // namespace tutti
