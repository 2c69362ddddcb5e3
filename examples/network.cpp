#include "examples/network.hpp"

#include <cmath>
#include <random>

namespace digits {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

/// The vector of parameters, or of their derivatives, seen as two layers. `Scalar` is double or const double.
template <typename Scalar>
struct Layers {
  template <typename Plain>
  using View = Eigen::Map<std::conditional_t<std::is_const_v<Scalar>, const Plain, Plain>>;

  explicit Layers(Scalar* all)
      : hidden_weights(all, hidden_units, pixels),
        hidden_bias(all + hidden_units * pixels, hidden_units),
        output_weights(all + hidden_units * (pixels + 1), kinds, hidden_units),
        output_bias(all + hidden_units * (pixels + 1) + kinds * hidden_units, kinds) {}

  View<Matrix> hidden_weights;
  View<Vector> hidden_bias;
  View<Matrix> output_weights;
  View<Vector> output_bias;
};

Matrix hidden_of(const Layers<const double>& layers, const Matrix& grey) {
  return ((layers.hidden_weights * grey).colwise() + layers.hidden_bias).array().tanh();
}

/// One column a digit; the greatest entry is the prediction.
Matrix scores_of(const Layers<const double>& layers, const Matrix& hidden) {
  return (layers.output_weights * hidden).colwise() + layers.output_bias;
}

}  // namespace

Batch batch_of(const Digits& digits, std::span<const int> indices) {
  const auto count = static_cast<Eigen::Index>(indices.size());
  Batch batch{Matrix(pixels, count), Eigen::VectorXi(count)};
  for (Eigen::Index column = 0; column < count; ++column) {
    const Digit& digit = digits[static_cast<std::size_t>(indices[static_cast<std::size_t>(column)])];
    const Eigen::Map<const Eigen::Matrix<std::uint8_t, pixels, 1>> grey(digit.grey.data());
    batch.grey.col(column) = grey.cast<double>() / darkest;
    batch.labels[column] = digit.label;
  }
  return batch;
}

Eigen::VectorXd initial_parameters(int seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector parameters = Vector::Zero(parameter_count);
  Layers<double> layers(parameters.data());
  for (double& weight : layers.hidden_weights.reshaped()) weight = normal(random) / std::sqrt(pixels);
  for (double& weight : layers.output_weights.reshaped()) weight = normal(random) / std::sqrt(hidden_units);
  return parameters;
}

double loss_and_gradient(const Eigen::VectorXd& parameters, const Batch& batch, Eigen::Ref<Eigen::VectorXd> gradient) {
  const Layers<const double> layers(parameters.data());
  Layers<double> slopes(gradient.data());
  const Matrix hidden = hidden_of(layers, batch.grey);
  Matrix error =
      scores_of(layers, hidden);  // becomes softmax(scores) - one-hot(labels), the loss's derivative by the scores

  double loss = 0;
  for (Eigen::Index digit = 0; digit < error.cols(); ++digit) {
    auto scores = error.col(digit);
    const int label = batch.labels[digit];
    scores.array() -= scores.maxCoeff();  // keeps exp() in range and changes no probability
    const double log_total = std::log(scores.array().exp().sum());
    loss += log_total - scores[label];
    scores = (scores.array() - log_total).exp();
    scores[label] -= 1;
  }

  slopes.output_weights.noalias() = error * hidden.transpose();
  slopes.output_bias = error.rowwise().sum();
  const Matrix hidden_error = (layers.output_weights.transpose() * error).array() * (1 - hidden.array().square());
  slopes.hidden_weights.noalias() = hidden_error * batch.grey.transpose();
  slopes.hidden_bias = hidden_error.rowwise().sum();
  return loss;
}

std::int64_t recognized(const Eigen::VectorXd& parameters, const Batch& batch) {
  const Layers<const double> layers(parameters.data());
  const Matrix scores = scores_of(layers, hidden_of(layers, batch.grey));
  std::int64_t right = 0;
  for (Eigen::Index digit = 0; digit < scores.cols(); ++digit) {
    Eigen::Index prediction = 0;
    scores.col(digit).maxCoeff(&prediction);
    right += prediction == batch.labels[digit];
  }
  return right;
}

}  // namespace digits
