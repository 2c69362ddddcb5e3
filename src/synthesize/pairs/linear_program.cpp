#include "synthesize/pairs/linear_program.hpp"

#ifndef __EMSCRIPTEN__
#include <coin/Clp_C_Interface.h>
#endif

#include <limits>
#include <memory>

#include "base/check.hpp"

namespace tutti::synthesize {

int LinearProgram::add_row(double least, double most) {
  least_.push_back(least);
  most_.push_back(most);
  return static_cast<int>(least_.size()) - 1;
}

int LinearProgram::add_quantity(double cost, std::span<const std::pair<int, double>> factors) {
  costs_.push_back(cost);
  for (const auto& [row, factor] : factors) {
    rows_.push_back(row);
    factors_.push_back(factor);
  }
  starts_.push_back(static_cast<int>(rows_.size()));
  return quantities() - 1;
}

#ifdef __EMSCRIPTEN__

std::vector<double> LinearProgram::solve() const {
  fail(ErrorCode::unsupported,
       "an all-to-all for a network needs a solver of linear programs, which the explorer does not have; run 'tutti "
       "synthesize' on a machine");
}

#else

std::vector<double> LinearProgram::solve() const {
  const std::unique_ptr<Clp_Simplex, decltype(&Clp_deleteModel)> model(Clp_newModel(), &Clp_deleteModel);
  Clp_setLogLevel(model.get(), 0);
  const std::vector<double> none(costs_.size(), 0);
  const std::vector<double> unbounded(costs_.size(), std::numeric_limits<double>::max());
  Clp_loadProblem(model.get(), quantities(), static_cast<int>(least_.size()), starts_.data(), rows_.data(),
                  factors_.data(), none.data(), unbounded.data(), costs_.data(), least_.data(), most_.data());
  Clp_initialSolve(model.get());
  if (Clp_status(model.get()) != 0)
    fail(ErrorCode::internal, "the linear program of {} quantities and {} rows was not solved: CLP's status is {}",
         quantities(), least_.size(), Clp_status(model.get()));
  const double* found = Clp_getColSolution(model.get());
  return {found, found + quantities()};
}

#endif

}  // namespace tutti::synthesize
