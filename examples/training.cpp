#include "examples/training.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>

#include "examples/network.hpp"
#include "examples/parts.hpp"

namespace digits {
namespace {

const tutti::CollectiveOptions broadcast_options{.algorithm = "binomial"};
const tutti::CollectiveOptions all_reduce_options{.algorithm = "ring"};
const tutti::CollectiveOptions gather_options{.algorithm = "binomial"};

/// Adds the time from here to the end of the block to a sum of seconds.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds) {}
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() { seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// The part of `items` that falls to a rank.
std::span<const int> shard(std::span<const int> items, int rank, int ranks) {
  const examples::Part part = examples::part_of(static_cast<std::int64_t>(items.size()), rank, ranks);
  return items.subspan(static_cast<std::size_t>(part.first), static_cast<std::size_t>(part.size));
}

/// Order in which digits are taken. Ranks that draw from one seed take the same digits.
class Deck {
 public:
  Deck(std::size_t digits, int seed) : random_(seed), indices_(digits), held_out_(digits / 5) {
    if (held_out_ == 0) {
      throw tutti::Error(tutti::ErrorCode::invalid_argument,
                         std::to_string(digits) + " digits are too few to hold a fifth out; expected at least 5");
    }
    std::iota(indices_.begin(), indices_.end(), 0);
    std::shuffle(indices_.begin(), indices_.end(), random_);
  }

  std::span<const int> held_out() const { return std::span(indices_).first(held_out_); }
  std::span<const int> training() const { return std::span(indices_).subspan(held_out_); }

  /// Calls `see` with one batch after the other: all training digits in a new order.
  template <typename See>
  void deal(int batch, See&& see) {
    std::shuffle(indices_.begin() + static_cast<std::ptrdiff_t>(held_out_), indices_.end(), random_);
    const auto length = static_cast<std::size_t>(batch);
    for (std::span<const int> rest = training(); !rest.empty(); rest = rest.subspan(std::min(length, rest.size()))) {
      see(rest.first(std::min(length, rest.size())));
    }
  }

 private:
  std::mt19937_64 random_;
  std::vector<int> indices_;  // held-out digits, then the others
  std::size_t held_out_;
};

/// A network under training by stochastic gradient descent with momentum.
class Learner {
 public:
  Learner(const Digits& digits, const TrainingOptions& options, Eigen::VectorXd weights)
      : digits_(digits),
        options_(options),
        weights_(std::move(weights)),
        velocity_(Eigen::VectorXd::Zero(parameter_count)),
        contribution_(Eigen::VectorXd::Zero(parameter_count + 1)) {}

  std::span<double> weights() { return {weights_.data(), static_cast<std::size_t>(weights_.size())}; }

  /// Returns the values that the ranks add up: the gradient, and the loss in the last place, so that both travel in one
  /// message.
  std::span<double> contribution() { return {contribution_.data(), static_cast<std::size_t>(contribution_.size())}; }

  /// Makes the contribution of some digits to the mean over a batch. Divides by the size of the batch, not of the
  /// shard, because shards may differ in size: so the ranks' sum is the mean.
  void compute(std::span<const int> shard, std::size_t batch) {
    contribution_[parameter_count] =
        loss_and_gradient(weights_, batch_of(digits_, shard), contribution_.head(parameter_count));
    contribution_ /= static_cast<double>(batch);
  }

  /// Moves the weights by the gradient, which is the whole batch's by now, and returns the loss.
  double step() {
    velocity_ = options_.momentum * velocity_ - options_.learning_rate * contribution_.head(parameter_count);
    weights_ += velocity_;
    return contribution_[parameter_count];
  }

  std::int64_t recognized_of(std::span<const int> some) const { return recognized(weights_, batch_of(digits_, some)); }

 private:
  const Digits& digits_;
  const TrainingOptions& options_;
  Eigen::VectorXd weights_;
  Eigen::VectorXd velocity_;
  Eigen::VectorXd contribution_;
};

/// Returns, on every rank, the weights that rank 0 draws.
Eigen::VectorXd first_weights(tutti::Communicator& comm, int seed) {
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(parameter_count);
  if (comm.rank() == 0) weights = initial_parameters(seed);
  comm.broadcast(std::span(weights.data(), parameter_count), broadcast_options);
  return weights;
}

/// One rank's part in the training by all.
class Worker {
 public:
  Worker(tutti::Communicator& comm, const Digits& digits, const TrainingOptions& options)
      : comm_(comm),
        options_(options),
        deck_(digits.size(), options.seed),
        learner_(digits, options, first_weights(comm, options.seed)),
        add_up_(comm.plan_all_reduce(learner_.contribution(), tutti::sum, all_reduce_options)) {
    outcome_.held_out = static_cast<int>(deck_.held_out().size());
  }

  Epoch run_epoch(int number) {
    double total = 0;
    deck_.deal(options_.batch, [&](std::span<const int> batch) {
      outcome_.losses.push_back(step(batch));
      total += outcome_.losses.back() * static_cast<double>(batch.size());
    });
    outcome_.accuracy = accuracy();
    return {number, total / static_cast<double>(deck_.training().size()), outcome_.accuracy};
  }

  Outcome outcome() && { return std::move(outcome_); }

 private:
  double step(std::span<const int> batch) {
    double loss = 0;
    {
      const Timed timed(outcome_.times.computing);
      learner_.compute(shard(batch, comm_.rank(), comm_.size()), batch.size());
    }
    {
      const Timed timed(outcome_.times.communicating);
      add_up_.run();
    }
    {
      const Timed timed(outcome_.times.computing);
      loss = learner_.step();
    }
    const Timed timed(outcome_.times.checking);
    const int number = static_cast<int>(outcome_.losses.size()) + 1;
    if (!same_bits_everywhere(comm_, learner_.weights())) outcome_.unlike_steps.push_back(number);
    return loss;
  }

  double accuracy() {
    std::int64_t right = 0;
    {
      const Timed timed(outcome_.times.computing);
      right = learner_.recognized_of(shard(deck_.held_out(), comm_.rank(), comm_.size()));
    }
    const Timed timed(outcome_.times.communicating);
    right = comm_.all_reduce(right, tutti::sum, all_reduce_options);
    return static_cast<double>(right) / outcome_.held_out;
  }

  tutti::Communicator& comm_;
  const TrainingOptions& options_;
  Deck deck_;
  Learner learner_;
  tutti::Plan add_up_;
  Outcome outcome_;
};

}  // namespace

std::vector<Use> collectives_in_use(std::int64_t digits) {
  return {{"broadcast", broadcast_options.algorithm, 1},
          {"broadcast", broadcast_options.algorithm, digits},
          {"broadcast", broadcast_options.algorithm, parameter_count},
          {"all-reduce", all_reduce_options.algorithm, parameter_count + 1},
          {"all-reduce", all_reduce_options.algorithm, 2 * std::int64_t{parameter_count}},
          {"all-reduce", all_reduce_options.algorithm, 1},
          {"gather", gather_options.algorithm, 1}};
}

void share(tutti::Communicator& comm, Digits& digits) {
  auto count = static_cast<std::int64_t>(digits.size());
  comm.broadcast(count, broadcast_options);
  digits.resize(static_cast<std::size_t>(count));
  comm.broadcast(digits, broadcast_options);
}

Outcome train(tutti::Communicator& comm, const Digits& digits, const TrainingOptions& options,
              const std::function<void(const Epoch&)>& on_epoch) {
  Worker worker(comm, digits, options);
  for (int number = 1; number <= options.epochs; ++number) on_epoch(worker.run_epoch(number));
  return std::move(worker).outcome();
}

std::vector<Times> times_of_all(tutti::Communicator& comm, const Times& times) {
  return comm.gather(times, gather_options);
}

std::vector<double> losses_of_one_rank(const Digits& digits, const TrainingOptions& options) {
  Deck deck(digits.size(), options.seed);
  Learner learner(digits, options, initial_parameters(options.seed));
  std::vector<double> losses;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    deck.deal(options.batch, [&](std::span<const int> batch) {
      learner.compute(batch, batch.size());
      losses.push_back(learner.step());
    });
  }
  return losses;
}

bool same_bits_everywhere(tutti::Communicator& comm, std::span<const double> values) {
  // A bit or its complement is 1 on every rank exactly if all ranks agree.
  std::vector<std::uint64_t> bits;
  bits.reserve(2 * values.size());
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  for (std::size_t i = 0; i < values.size(); ++i) bits.push_back(~bits[i]);
  comm.all_reduce(bits, tutti::bitwise_and, all_reduce_options);
  const std::span<const std::uint64_t> ones = std::span(bits).first(values.size());
  const std::span<const std::uint64_t> zeros = std::span(bits).subspan(values.size());
  return std::equal(ones.begin(), ones.end(), zeros.begin(),
                    [](std::uint64_t one, std::uint64_t zero) { return one == ~zero; });
}

double greatest_difference(std::span<const double> a, std::span<const double> b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (a.size() != b.size()) return infinity;
  double greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!std::isfinite(difference)) return infinity;
    greatest = std::max(greatest, difference);
  }
  return greatest;
}

}  // namespace digits
