/// @file
/// Data-parallel training: every rank holds all weights, computes the gradient over its shard of each batch, and takes
/// the same step, because an all-reduce gives every rank the same average.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "examples/digits.hpp"
#include "tutti/tutti.hpp"

namespace digits {

struct TrainingOptions {
  int epochs = 30;
  int batch = 64;  ///< digits a step, over all ranks
  double learning_rate = 0.1;
  double momentum = 0.9;
  int seed = 1;  ///< seed of the first weights, of the choice of held-out digits, and of the order of the others
};

/// Seconds that a rank spent. Communicating includes the wait for slower ranks.
struct Times {
  double computing = 0;
  double communicating = 0;
  double checking = 0;  ///< comparing the weights' bits, which training itself does not need
};

/// State of training after an epoch, as every rank knows it.
struct Epoch {
  int number = 0;       ///< from 1
  double loss = 0;      ///< the mean over the training digits, each taken before the step that its batch caused
  double accuracy = 0;  ///< the recognized fraction of the held-out digits
};

/// Outcome on a rank. The times are its own; all else is equal on every rank.
struct Outcome {
  std::vector<double> losses;     ///< the mean over the batch, one a step
  std::vector<int> unlike_steps;  ///< the steps, from 1, after which some weight's bits were not the same on all ranks
  double accuracy = 0;            ///< the last epoch's
  int held_out = 0;               ///< digits
  Times times;
};

/// A collective, the algorithm that it is run with, and the elements that it is run on, as `tutti verify` takes them.
struct Use {
  std::string_view collective;
  std::string_view algorithm;
  std::int64_t count;
};
/// All that share(), train() and times_of_all() use for so many digits.
std::vector<Use> collectives_in_use(std::int64_t digits);

/// Gives rank 0's digits to every rank. A collective call.
void share(tutti::Communicator& comm, Digits& digits);

/// Trains on four fifths of the digits, which every rank holds, and holds a fifth out. A collective call, with the same
/// arguments on every rank. Calls `on_epoch` on every rank. Throws `tutti::Error(invalid_argument)` for fewer than 5
/// digits.
Outcome train(tutti::Communicator& comm, const Digits& digits, const TrainingOptions& options,
              const std::function<void(const Epoch&)>& on_epoch);

/// Every rank's times, in order of rank, at rank 0; nothing elsewhere. A collective call.
std::vector<Times> times_of_all(tutti::Communicator& comm, const Times& times);

/// The losses of the same training when one rank computes the whole batches, without communication.
std::vector<double> losses_of_one_rank(const Digits& digits, const TrainingOptions& options);

/// Whether the values have the same bits on every rank. A collective call, with the same answer everywhere.
bool same_bits_everywhere(tutti::Communicator& comm, std::span<const double> values);

/// The greatest distance between two curves; infinite where their lengths differ or a value is not finite.
double greatest_difference(std::span<const double> a, std::span<const double> b);

}  // namespace digits
