/// @file
/// Request of `tutti plan`.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/command_line/outcome.hpp"
#include "app/options/request.hpp"
#include "app/options/traffic_options.hpp"
#include "app/options/values.hpp"
#include "measure/pace.hpp"
#include "plan/rules.hpp"
#include "predict/model/machine_model.hpp"
#include "predict/profile/profile.hpp"
#include "schedule/model/problem.hpp"
#include "simulate/simulate.hpp"
#include "topology/machine.hpp"

namespace tutti::app {

struct PlanRequest : Request {
  std::optional<Transport> transport;
  std::optional<int> cores;
  std::optional<SizeRange> sizes;
  std::optional<std::string> plot;
  std::optional<std::string> rules;
  std::optional<std::string> openmpi_rules;
  std::optional<std::string> mpich_json;
  std::optional<std::string> mpich_defaults;
  std::vector<std::pair<int, Skew>> skew;
  Machine machine;
  TrafficRequest shared = {};  ///< other conditions on a network
  bool run = false;
  bool check = false;
  bool rivals = false;
  measure::Effort effort{.seconds = 0.2};
};

/// A choice by the costs of this machine, or of as many of them as there are nodes, over that many ranks. A profile
/// that is not believed is one line on standard error.
std::unique_ptr<MachineModel> model_of_machine(const PlanRequest& request, int ranks);
/// Returns the error that nine tenths of that model's predictions stay below, as a part of the measured time; 0: not known.
double error_of_machine(const PlanRequest& request);
/// Returns the model if no message were short: each is read in its sender's memory. Says nothing of the profile.
std::unique_ptr<MachineModel> model_without_short_messages(const PlanRequest& request, int ranks);
/// By which winners of trials are kept for the ranks that the request is of. Over several nodes there are two, because
/// some programs measure what is between nodes and others do not.
std::vector<std::string> places_of(const PlanRequest& request, int ranks);
/// The rules of the file that the request names, or of the one where every program looks. Throws `Error` for a mistake
/// in the former; of the latter it is one line on standard error.
Rules rules_of(const PlanRequest& request);
/// In bytes, ascending; {0} for a barrier. Throws `Error` where sizes and collective do not fit.
std::vector<std::int64_t> sizes_of(const PlanRequest& request);
/// Returns the number of ranks in the request, or of cores, and two at least.
int ranks_of(const PlanRequest& request);
/// The problem without its size. Throws `Error` where even one of `largest` elements is none.
Problem problem_in(const PlanRequest& request, std::int64_t largest);

}  // namespace tutti::app
