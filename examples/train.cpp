/// @file
/// Data-parallel training on real data: a small neural network learns handwritten digits.
///
/// Rank 0 reads the digits and broadcasts them. In each step every rank computes the gradient over its shard of the
/// batch, the ring all-reduce averages the gradients, and every rank takes the same step. The program then holds itself
/// to three promises, and its exit status is 1 if one is broken:
///
///   accuracy   it recognizes at least 95 % of a fifth of the digits, which it has not learnt from
///   weights    after every step the weights have the same bits on all ranks
///   losses     at every step the loss is that of one rank that takes the whole batch, to 1e-4

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "examples/command_line.hpp"
#include "examples/digits.hpp"
#include "examples/ranks.hpp"
#include "examples/training.hpp"
#include "tutti/tutti.hpp"

namespace {

constexpr double least_accuracy = 0.95;
constexpr double greatest_loss_difference = 1e-4;

struct Request {
  int ranks = 4;
  std::string data;
  std::string loss_curve;
  digits::TrainingOptions training;
  bool proofs = false;
};

/// The digits that come with the examples: below the working directory, or where the program was built from.
std::string default_data() {
  const std::string nearby = "examples/data/digits.csv.gz";
  return std::filesystem::exists(nearby) ? nearby : TUTTI_EXAMPLES_DIR "/data/digits.csv.gz";
}

/// A line with a bar for every epoch on a terminal; elsewhere a line for every tenth.
void show(const digits::Epoch& epoch, int epochs) {
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  if (!terminal && epoch.number != 1 && epoch.number != epochs && epoch.number % 10 != 0) return;
  constexpr int width = 30;
  const int filled = static_cast<int>(std::int64_t{width} * epoch.number / epochs);
  const std::string bar = terminal ? fmt::format("[{:#>{}}{:->{}}]  ", "", filled, "", width - filled) : "";
  fmt::print("epoch {:>3} of {}  {}loss {:.4f}  held-out digits recognized {:5.1f} %\n", epoch.number, epochs, bar,
             epoch.loss, 100 * epoch.accuracy);
  std::fflush(stdout);
}

void show_times(const std::vector<digits::Times>& times) {
  fmt::print("\n  rank   computing   communicating    checking\n");
  for (std::size_t rank = 0; rank < times.size(); ++rank) {
    const digits::Times& spent = times[rank];
    fmt::print("  {:>4} {:>9.3f} s {:>13.3f} s {:>9.3f} s\n", rank, spent.computing, spent.communicating,
               spent.checking);
  }
  fmt::print("  communicating includes waiting for slower ranks; checking compares the weights' bits\n\n");
}

/// Prints a promise and whether it holds.
bool verdict(bool holds, const std::string& promise) {
  fmt::print("  {}  {}\n", holds ? "ok    " : "BROKEN", promise);
  return holds;
}

bool judge(const Request& request, const digits::Outcome& outcome, std::span<const double> reference) {
  const std::size_t steps = outcome.losses.size();
  const std::size_t unlike = outcome.unlike_steps.size();
  const double difference = digits::greatest_difference(outcome.losses, reference);
  const bool accurate = verdict(outcome.accuracy >= least_accuracy,
                                fmt::format("accuracy: {:.1f} % of {} held-out digits, at least {:.0f} % expected",
                                            100 * outcome.accuracy, outcome.held_out, 100 * least_accuracy));
  const std::string first = unlike == 0 ? "" : fmt::format(", first at step {}", outcome.unlike_steps.front());
  const bool alike = verdict(unlike == 0, fmt::format("weights: the same bits on {} ranks after {} of {} steps{}",
                                                      request.ranks, steps - unlike, steps, first));
  const bool same_curve = verdict(difference <= greatest_loss_difference,
                                  fmt::format("losses: within {:.1e} of one rank on whole batches, {:.0e} allowed",
                                              difference, greatest_loss_difference));
  return accurate && alike && same_curve;
}

std::ofstream open_curve(const std::string& path) {
  std::ofstream file;
  if (path.empty()) return file;
  file.open(path);
  if (!file) {
    throw tutti::Error(tutti::ErrorCode::invalid_argument,
                       path + ": cannot be written; expected a path for the loss curve");
  }
  return file;
}

void save_curve(std::ofstream& file, std::span<const double> losses, std::span<const double> reference) {
  fmt::print(file, "step,loss,loss_of_one_rank\n");
  for (std::size_t i = 0; i < losses.size(); ++i) fmt::print(file, "{},{},{}\n", i + 1, losses[i], reference[i]);
  file.close();
  if (!file) throw std::runtime_error("the loss curve was not written to the end");
}

void show_proofs(const Request& request, std::int64_t digits) {
  for (const digits::Use& use : digits::collectives_in_use(digits)) {
    fmt::print("{} --algorithm {} --ranks {} --count {}\n", use.collective, use.algorithm, request.ranks, use.count);
  }
}

/// Trains on all ranks, and prints how it goes; what rank 0 knows at the end.
digits::Outcome train_on_all(const Request& request, const digits::Digits& data) {
  digits::Outcome outcome;
  examples::on_ranks(request.ranks, [&](tutti::Communicator& comm) {
    const bool speaks = comm.rank() == 0;
    digits::Digits mine = speaks ? data : digits::Digits{};
    digits::share(comm, mine);
    digits::Outcome own = digits::train(comm, mine, request.training, [&](const digits::Epoch& epoch) {
      if (speaks) show(epoch, request.training.epochs);
    });
    const std::vector<digits::Times> times = digits::times_of_all(comm, own.times);
    if (!speaks) return;
    show_times(times);
    outcome = std::move(own);
  });
  return outcome;
}

/// Runs the process of rank 0, which has all ranks as threads if the program runs alone.
int train_and_judge(const Request& request) {
  const digits::Digits data = digits::read(request.data.empty() ? default_data() : request.data);
  if (request.proofs) {
    show_proofs(request, static_cast<std::int64_t>(data.size()));
    return 0;
  }
  std::ofstream curve = open_curve(request.loss_curve);
  fmt::print("training on {} digits with {} ranks, {} digits a step\n\n", data.size(), request.ranks,
             request.training.batch);
  const digits::Outcome outcome = train_on_all(request, data);
  // Not before: the other ranks would wait for it.
  const std::vector<double> reference = digits::losses_of_one_rank(data, request.training);
  const bool holds = judge(request, outcome, reference);
  if (curve.is_open()) save_curve(curve, outcome.losses, reference);
  return holds ? 0 : 1;
}

int train(Request& request) {
  request.ranks = examples::number_of_ranks(request.ranks);
  if (examples::speaks()) return train_and_judge(request);
  if (!request.proofs) train_on_all(request, {});
  return 0;
}

void add_options(examples::Options& options, Request& request) {
  options.add_ranks(request.ranks);
  options.add_number("--epochs", request.training.epochs, 1, 100000, "Times to go through the digits");
  options.add_number("--batch", request.training.batch, 1, 1 << 20, "Digits a step, over all ranks");
  options.add_number("--seed", request.training.seed, 0, std::numeric_limits<int>::max(), "Of all that is random");
  options.add_text("--data", request.data,
                   "Digits as comma-separated values, plain or gzip; by default examples/data/digits.csv.gz");
  options.add_text("--loss-curve", request.loss_curve, "Write the losses of all steps to this file");
  options.add_flag("--proofs", request.proofs,
                   "Print what `tutti verify` is to prove for this training, a line a proof, and end");
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  return examples::run({.name = "example_train",
                        .purpose = "Data-parallel training on handwritten digits",
                        .add_options = [&](examples::Options& options) { add_options(options, request); },
                        .program = [&] { return train(request); }},
                       argc, argv);
}
