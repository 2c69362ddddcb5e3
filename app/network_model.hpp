/// @file
/// The cost model of a network that is described, and not there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/offers.hpp"
#include "predict/cost_model.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// Prices of `tutti price` as what plans are made by: elements are bytes. A time that is not known is infinite. For one
/// thread, and for problems that differ from that of the prices in their count alone.
class NetworkModel final : public CostModel {
 public:
  /// `prices` outlive it.
  explicit NetworkModel(Prices& prices) : prices_(prices) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  Choice completed(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double bound(const Problem& problem, std::int64_t element_size) const override;
  std::string describe() const override;
  const Layout& layout() const override { return prices_.question().layout; }
  bool is_of_a_network() const override { return true; }

 private:
  Prices& prices_;
};

/// The same where ranks come unevenly, or combine at different paces: everything is simulated. Schedules of too many
/// messages have an infinite price.
class UnevenNetworkModel final : public CostModel {
 public:
  UnevenNetworkModel(Prices& prices, std::vector<Skew> skews) : prices_(prices), skews_(std::move(skews)) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  Choice completed(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double bound(const Problem& problem, std::int64_t element_size) const override;
  std::string describe() const override;
  const Layout& layout() const override { return prices_.question().layout; }
  bool is_of_a_network() const override { return true; }

 private:
  Prices& prices_;
  std::vector<Skew> skews_;
};

}  // namespace tutti::app
