/// @file
/// Cost model of a network that is described instead of measured.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "predict/model/cost_model.hpp"
#include "pricing/prices.hpp"
#include "simulate/simulate.hpp"

namespace tutti::app {

/// Prices of `tutti price` as what plans are made by: elements are bytes. A time that is not known is infinite. For one
/// thread, and for problems that differ from that of the prices in their count alone.
class NetworkModel : public CostModel {
 public:
  /// `prices` outlive it.
  explicit NetworkModel(Prices& prices) : prices_(prices) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  Choice completed(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double bound(const Problem& problem, std::int64_t element_size) const override;
  std::string describe() const override;
  const Layout& layout() const override { return request().layout; }
  bool is_of_a_network() const override { return true; }

 protected:
  const PricingRequest& request() const { return prices_.request(); }

 private:
  Prices& prices_;
};

/// Cost model of a network whose ranks come unevenly, or combine at different paces: everything is simulated. Schedules
/// of too many messages have an infinite price.
class UnevenNetworkModel final : public NetworkModel {
 public:
  UnevenNetworkModel(Prices& prices, std::vector<Skew> skews) : NetworkModel(prices), skews_(std::move(skews)) {}

  double seconds(const Choice& choice, const Problem& problem, std::int64_t element_size) const override;
  double bound(const Problem& problem, std::int64_t element_size) const override;
  std::string describe() const override;

 private:
  std::vector<Skew> skews_;
};

}  // namespace tutti::app
