/// @file
/// A small neural network that tells digits apart: 64 grey values, 64 hidden units (tanh), 10 classes (softmax).
///
/// All parameters lie in one vector, and so does the gradient: it travels as one message. Numbers are double, so that
/// the order in which ranks add their shards up changes a loss by about 1e-15, and 1e-4 tells a wrong gradient from
/// rounding.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "examples/digits.hpp"

namespace digits {

inline constexpr int hidden_units = 64;
inline constexpr int parameter_count = hidden_units * (pixels + 1) + kinds * (hidden_units + 1);

/// Digits as the network takes them.
struct Batch {
  Eigen::MatrixXd grey;    ///< pixels by digits, from 0 to 1
  Eigen::VectorXi labels;  ///< one a digit
};

/// The digits with the given indices. There may be none.
Batch batch_of(const Digits& digits, std::span<const int> indices);

/// Normally distributed weights, scaled so that signals keep their size from layer to layer; biases zero.
Eigen::VectorXd initial_parameters(int seed);

/// The cross-entropy between labels and predictions, summed over the batch. `gradient` (parameter_count elements)
/// becomes its derivative by each parameter.
double loss_and_gradient(const Eigen::VectorXd& parameters, const Batch& batch, Eigen::Ref<Eigen::VectorXd> gradient);

/// Returns how many digits of the batch the network recognizes.
std::int64_t recognized(const Eigen::VectorXd& parameters, const Batch& batch);

}  // namespace digits
