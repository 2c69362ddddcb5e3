/// @file
/// Data-parallel training: the file of digits, the gradient, and the checks that the training program rests on, which
/// must be able to fail.

#include "examples/training.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>
#include <mutex>
#include <numeric>
#include <random>

#include "examples/network.hpp"

namespace digits {
namespace {

const Digits& all_digits() {
  static const Digits digits = read(TUTTI_DIGITS);
  return digits;
}

/// A file that lives as long as the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& contents) { std::ofstream(path_, std::ios::binary) << contents; }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
};

std::string line_of(const Digit& digit) {
  std::string line;
  for (const std::uint8_t grey : digit.grey) line += std::to_string(grey) + ",";
  return line + std::to_string(digit.label) + "\n";
}

std::string refusal_of(const std::string& path) {
  try {
    read(path);
  } catch (const tutti::Error& error) {
    EXPECT_EQ(error.code(), tutti::ErrorCode::invalid_argument);
    return error.what();
  }
  return "no refusal";
}

std::vector<int> first_indices(int count) {
  std::vector<int> indices(static_cast<std::size_t>(count));
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

TEST(DigitsFile, HoldsAllDigits) {
  ASSERT_EQ(all_digits().size(), 1797U);
  std::array<int, kinds> counts{};
  for (const Digit& digit : all_digits()) ++counts.at(digit.label);
  EXPECT_THAT(counts, testing::ElementsAre(178, 182, 177, 183, 181, 182, 181, 179, 174, 180));
}

TEST(DigitsFile, PlainTextReadsAsTheCompressedFileDoes) {
  std::string text;
  for (const Digit& digit : all_digits()) text += line_of(digit);
  const Digits plain = read(TemporaryFile(text).path());
  const auto same = [](const Digit& a, const Digit& b) { return a.grey == b.grey && a.label == b.label; };
  EXPECT_TRUE(std::equal(plain.begin(), plain.end(), all_digits().begin(), all_digits().end(), same));
}

TEST(DigitsFile, EveryDamagedLineIsNamed) {
  const std::string good = line_of(all_digits().front());
  const std::string line = good.substr(0, good.size() - 1);
  for (const std::string& bad :
       {line + ",", line + "12", line + ",1", "," + line, "x" + line, "17" + line.substr(1), "-1" + line.substr(1),
        line.substr(2), std::string(), std::string(1000, '1'), line.substr(0, line.size() - 1)}) {
    const TemporaryFile file(good + good + bad + "\n" + good);
    EXPECT_THAT(refusal_of(file.path()), testing::HasSubstr(file.path() + ":3: expected 64 grey values from 0 to 16"))
        << bad;
  }
}

TEST(DigitsFile, MissingEmptyAndCutOffFilesAreRefused) {
  EXPECT_THAT(refusal_of("/no/such/file"), testing::HasSubstr("/no/such/file: cannot be read"));
  EXPECT_THAT(refusal_of(TemporaryFile("").path()), testing::HasSubstr("holds no digits"));
  std::ifstream stream(TUTTI_DIGITS, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(refusal_of(TemporaryFile(whole.substr(0, whole.size() / 2)).path()),
              testing::HasSubstr("unexpected end of file"));
  EXPECT_THAT(refusal_of(testing::TempDir()), testing::HasSubstr(testing::TempDir()));
}

TEST(Network, TheGradientIsTheSlopeOfTheLoss) {
  for (const int seed : {1, 2, 3}) {
    const Batch batch = batch_of(all_digits(), first_indices(5));
    Eigen::VectorXd parameters = initial_parameters(seed);
    Eigen::VectorXd gradient(parameter_count);
    Eigen::VectorXd ignored(parameter_count);
    loss_and_gradient(parameters, batch, gradient);
    for (Eigen::Index i = 0; i < parameter_count; i += 7) {
      const double here = parameters[i];
      constexpr double step = 1e-5;
      parameters[i] = here + step;
      const double above = loss_and_gradient(parameters, batch, ignored);
      parameters[i] = here - step;
      const double below = loss_and_gradient(parameters, batch, ignored);
      parameters[i] = here;
      ASSERT_NEAR(gradient[i], (above - below) / (2 * step), 1e-7) << "parameter " << i << ", seed " << seed;
    }
  }
}

TEST(Network, ShardsAddUpToTheBatchAndNothingAddsNothing) {
  const Eigen::VectorXd parameters = initial_parameters(4);
  const std::vector<int> indices = first_indices(20);
  Eigen::VectorXd whole(parameter_count);
  const double loss = loss_and_gradient(parameters, batch_of(all_digits(), indices), whole);
  for (std::size_t cut = 0; cut <= indices.size(); ++cut) {
    Eigen::VectorXd left(parameter_count);
    Eigen::VectorXd right(parameter_count);
    const double sum = loss_and_gradient(parameters, batch_of(all_digits(), std::span(indices).first(cut)), left) +
                       loss_and_gradient(parameters, batch_of(all_digits(), std::span(indices).subspan(cut)), right);
    EXPECT_NEAR(sum, loss, 1e-12);
    EXPECT_LT((left + right - whole).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_TRUE(cut > 0 || left.isZero(0));
  }
}

TEST(Checks, OneBitThatDiffersOnOneRankIsFoundOnEveryRank) {
  std::mt19937_64 random(5);
  for (const int p : {1, 2, 3, 4, 5}) {
    for (int repetition = 0; repetition < 40; ++repetition) {
      const int odd = static_cast<int>(random() % static_cast<unsigned>(p));
      const std::size_t place = random() % 17;
      const std::uint64_t bit = std::uint64_t{1} << (random() % 64);
      tutti::run(p, [&](tutti::Communicator& comm) {
        std::vector<double> values(17, 0.1);
        values[3] = std::numeric_limits<double>::quiet_NaN();
        EXPECT_TRUE(same_bits_everywhere(comm, values));
        if (comm.rank() == odd)
          values[place] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(values[place]) ^ bit);
        EXPECT_EQ(same_bits_everywhere(comm, values), p == 1)
            << "rank " << odd << " of " << p << ", value " << place << ", bit " << bit;
      });
    }
  }
}

TEST(Checks, CurvesDifferByTheirGreatestDistance) {
  const std::vector<double> curve{1, 0.5, 0.25};
  EXPECT_EQ(greatest_difference(curve, curve), 0);
  EXPECT_EQ(greatest_difference(curve, std::vector<double>{1, 0.75, 0.125}), 0.25);
  EXPECT_EQ(greatest_difference(curve, std::vector<double>{1, 0.5}), std::numeric_limits<double>::infinity());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(greatest_difference(curve, std::vector<double>{1, nan, 0.25}), std::numeric_limits<double>::infinity());
}

struct Case {
  int ranks;
  int batch;
};

class Training : public testing::TestWithParam<Case> {};

TEST_P(Training, AnyNumberOfRanksTakesTheStepsOfOne) {
  Digits some(all_digits().begin(), all_digits().begin() + 203);
  const TrainingOptions options{.epochs = 2, .batch = GetParam().batch, .seed = 7};
  const std::vector<double> reference = losses_of_one_rank(some, options);
  ASSERT_EQ(reference.size(), static_cast<std::size_t>(2 * ((163 + options.batch - 1) / options.batch)));
  std::mutex mutex;
  std::vector<std::vector<double>> curves;
  tutti::run(GetParam().ranks, [&](tutti::Communicator& comm) {
    Digits mine = comm.rank() == 0 ? some : Digits(3);
    share(comm, mine);
    int epochs = 0;
    const Outcome outcome = train(comm, mine, options, [&](const Epoch& epoch) { EXPECT_EQ(epoch.number, ++epochs); });
    EXPECT_EQ(epochs, options.epochs);
    EXPECT_LE(greatest_difference(outcome.losses, reference), 1e-12);
    EXPECT_THAT(outcome.unlike_steps, testing::IsEmpty());
    EXPECT_EQ(outcome.held_out, 40);
    EXPECT_EQ(times_of_all(comm, outcome.times).size(), comm.rank() == 0 ? static_cast<std::size_t>(comm.size()) : 0U);
    const std::lock_guard lock(mutex);
    curves.push_back(outcome.losses);
  });
  for (const auto& curve : curves) EXPECT_EQ(curve, curves.front());
}

INSTANTIATE_TEST_SUITE_P(RanksAndBatches, Training,
                         testing::Values(Case{1, 16}, Case{2, 16}, Case{3, 16}, Case{4, 64}, Case{5, 7}, Case{5, 3},
                                         Case{7, 163}, Case{8, 1000}),
                         [](const auto& one) {
                           return std::to_string(one.param.ranks) + "RanksBatchesOf" + std::to_string(one.param.batch);
                         });

TEST(Deck, TooFewDigitsAreRefused) {
  const Digits four(all_digits().begin(), all_digits().begin() + 4);
  EXPECT_THROW(losses_of_one_rank(four, {}), tutti::Error);
}

}  // namespace
}  // namespace digits
