/// @file
/// Bad input to the C interface, and the sentences that it gets.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "c_ranks.hpp"

namespace tutti::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Arguments that are sound: a sum of four numbers.
class CErrors : public ::testing::Test {
 protected:
  /// Expects that a change of the arguments is refused with that status and words of the sentence.
  template <typename Change>
  void expect(tutti_status status, const std::string& words, const Change& change) {
    on_c_ranks(1, [&](tutti_communicator comm) {
      std::array<double, 4> in{};
      std::array<double, 4> out{};
      tutti_call_arguments arguments = tutti_arguments_of(TUTTI_ALL_REDUCE, in.data(), out.data(), 4, TUTTI_DOUBLE);
      arguments.op = TUTTI_SUM;
      EXPECT_OK(tutti_call(comm, &arguments));
      change(arguments);
      tutti_handle handle = nullptr;
      tutti_plan plan = nullptr;
      for (const tutti_status got : {tutti_call(comm, &arguments), tutti_start(comm, &arguments, &handle),
                                     tutti_plan_create(comm, &arguments, &plan)}) {
        EXPECT_EQ(got, status) << words;
        EXPECT_THAT(tutti_last_error(), HasSubstr(words));
      }
    });
  }
};

TEST_F(CErrors, NameTheValueThatIsNone) {
  expect(TUTTI_INVALID_ARGUMENT, "77 is no collective", [](auto& a) { a.collective = 77; });
  expect(TUTTI_INVALID_ARGUMENT, "0 is no collective", [](auto& a) { a.collective = 0; });
  expect(TUTTI_INVALID_ARGUMENT, "collective",
         [](auto& a) { a.collective = std::numeric_limits<std::int32_t>::min(); });
  expect(TUTTI_INVALID_ARGUMENT, "all_reduce: 16 is no element type", [](auto& a) { a.type = 16; });
  expect(TUTTI_INVALID_ARGUMENT, "0 is no element type", [](auto& a) { a.type = 0; });
  expect(TUTTI_INVALID_ARGUMENT, "all_reduce: 12 is no operator", [](auto& a) { a.op = 12; });
  expect(TUTTI_INVALID_ARGUMENT, "-1 is no operator", [](auto& a) { a.op = -1; });
  expect(TUTTI_INVALID_ARGUMENT, "blocks is 3", [](auto& a) { a.blocks = 3; });
  expect(TUTTI_INVALID_ARGUMENT, "has no blocks by counts", [](auto& a) {
    static constexpr std::int64_t count = 4;
    a.blocks = TUTTI_BY_COUNTS;
    a.counts = &count;
  });
  expect(TUTTI_INVALID_ARGUMENT, "the count is at least 0, not -1", [](auto& a) { a.count = -1; });
  expect(TUTTI_INVALID_ARGUMENT, "5", [](auto& a) {
    a.collective = TUTTI_REDUCE;
    a.root = 5;
  });
}

TEST_F(CErrors, NameBuffersThatAreNull) {
  expect(TUTTI_INVALID_ARGUMENT, "all_reduce: the input is NULL, and has 4 elements",
         [](auto& a) { a.input = nullptr; });
  expect(TUTTI_INVALID_ARGUMENT, "all_reduce: the output is NULL", [](auto& a) { a.output = nullptr; });
  expect(TUTTI_INVALID_ARGUMENT, "counts is NULL", [](auto& a) {
    a.collective = TUTTI_ALL_GATHER;
    a.blocks = TUTTI_BY_COUNTS;
  });
  expect(TUTTI_INVALID_ARGUMENT, "receive_counts is NULL", [](auto& a) {
    static constexpr std::int64_t count = 4;
    a.collective = TUTTI_ALL_TO_ALL;
    a.blocks = TUTTI_BY_COUNTS;
    a.counts = &count;
  });
  expect(TUTTI_INVALID_ARGUMENT, "user_operator or its combine is NULL", [](auto& a) { a.op = TUTTI_USER; });
}

// Bytes that would wrap around must not pass for few.
TEST_F(CErrors, NameSizesThatNoProcessCanAddress) {
  expect(TUTTI_INVALID_ARGUMENT, "all_reduce: 2305843009213693952 elements of 8 bytes are more than a process can",
         [](auto& a) { a.count = std::int64_t{1} << 61; });
  static constexpr std::int64_t count = 1;
  static constexpr std::int64_t displacements[] = {std::int64_t{1} << 61, std::numeric_limits<std::int64_t>::max() - 1,
                                                   std::numeric_limits<std::int64_t>::max()};
  for (const std::int64_t& displacement : displacements) {
    for (const tutti_collective collective : {TUTTI_ALL_GATHER, TUTTI_GATHER, TUTTI_SCATTER, TUTTI_ALL_TO_ALL}) {
      expect(TUTTI_INVALID_ARGUMENT,
             "block 0 has 1 elements of 8 bytes from element " + std::to_string(displacement) + " on, more than",
             [&](auto& a) {
               a.collective = collective;
               a.blocks = TUTTI_BY_COUNTS;
               a.counts = a.receive_counts = &count;
               a.displacements = a.receive_displacements = &displacement;
             });
    }
  }
}

TEST(CMessages, OfSizesThatNoProcessCanAddressAreRefused) {
  on_c_ranks(1, [](tutti_communicator comm) {
    constexpr std::int64_t count = std::int64_t{1} << 62;
    std::int32_t data = 1;
    tutti_handle handle = nullptr;
    for (const tutti_status got : {tutti_send(comm, &data, count, TUTTI_INT32, 0, 0),
                                   tutti_receive(comm, &data, count, TUTTI_INT32, 0, 0, nullptr),
                                   tutti_send_start(comm, &data, count, TUTTI_INT32, 0, 0, &handle),
                                   tutti_send_receive(comm, &data, 1, 0, &data, count, 0, TUTTI_INT32, 0)}) {
      EXPECT_EQ(got, TUTTI_INVALID_ARGUMENT);
      EXPECT_THAT(tutti_last_error(), HasSubstr("4611686018427387904 elements of 4 bytes are more than a process can"));
    }
  });
}

TEST_F(CErrors, SayWhatDoesNotGoTogether) {
  expect(TUTTI_UNSUPPORTED, "bitwise_and does not apply to double", [](auto& a) { a.op = TUTTI_BITWISE_AND; });
  expect(TUTTI_UNSUPPORTED, "average does not apply to int32", [](auto& a) {
    a.op = TUTTI_AVERAGE;
    a.type = TUTTI_INT32;
  });
  expect(TUTTI_UNSUPPORTED, "elements of 12 bytes", [](auto& a) { a.type = TUTTI_BYTES(12); });
  expect(TUTTI_INVALID_ARGUMENT, "counts are given", [](auto& a) {
    static constexpr std::int64_t count = 4;
    a.counts = &count;
  });
  expect(TUTTI_INVALID_ARGUMENT, "has no root that alone", [](auto& a) {
    a.collective = TUTTI_SHIFT;
    a.blocks = TUTTI_BY_COUNTS_AT_ROOT;
  });
}

TEST_F(CErrors, SayWhoseHeaderTheArgumentsHave) {
  expect(TUTTI_INVALID_ARGUMENT, "the size of the arguments is 0", [](auto& a) { a.size = 0; });
  expect(TUTTI_INVALID_ARGUMENT, "the size of the arguments is 16", [](auto& a) { a.size = 16; });
}

// Arguments of a later header: the same call as long as what this library does not know is 0.
TEST(CArguments, MayBeLonger) {
  on_c_ranks(1, [](tutti_communicator comm) {
    struct Later {
      tutti_call_arguments known;
      std::int64_t unknown;
    };
    double data = 3;
    Later later{};
    later.known = tutti_arguments_of(TUTTI_ALL_REDUCE, &data, &data, 1, TUTTI_DOUBLE);
    later.known.op = TUTTI_SUM;
    later.known.size = sizeof(Later);
    EXPECT_OK(tutti_call(comm, &later.known));
    later.unknown = 1;
    EXPECT_EQ(tutti_call(comm, &later.known), TUTTI_UNSUPPORTED);
    EXPECT_THAT(tutti_last_error(), HasSubstr("install the tutti that the program was compiled for"));
  });
}

TEST(CPointers, ThatAreNullAreNamed) {
  const auto refuses = [](tutti_status status, const char* words) {
    EXPECT_EQ(status, TUTTI_INVALID_ARGUMENT) << words;
    EXPECT_THAT(tutti_last_error(), HasSubstr(words));
  };
  const tutti_call_arguments barrier = tutti_arguments_of(TUTTI_BARRIER, nullptr, nullptr, 0, TUTTI_UINT8);
  tutti_communicator none = nullptr;
  tutti_handle handle = nullptr;
  tutti_plan plan = nullptr;
  tutti_envelope envelope = {};
  void* memory = nullptr;
  double data = 0;
  EXPECT_EQ(tutti_rank(nullptr), -1);
  EXPECT_EQ(tutti_size(nullptr), -1);
  refuses(tutti_call(none, &barrier), "tutti_call: the communicator is NULL");
  refuses(tutti_start(none, &barrier, &handle), "tutti_start: the communicator is NULL");
  refuses(tutti_plan_create(none, &barrier, &plan), "tutti_plan_create: the communicator is NULL");
  refuses(tutti_send(none, &data, 1, TUTTI_DOUBLE, 0, 0), "tutti_send: the communicator is NULL");
  refuses(tutti_receive(none, &data, 1, TUTTI_DOUBLE, 0, 0, nullptr), "tutti_receive: the communicator");
  refuses(tutti_probe(none, 0, 0, &envelope), "tutti_probe: the communicator");
  refuses(tutti_allocate(none, 8, &memory), "tutti_allocate: the communicator");
  refuses(tutti_split(none, 0, 0, &none), "tutti_split: the communicator");
  refuses(tutti_wait_all(none), "tutti_wait_all: the communicator");
  refuses(tutti_wait(nullptr, nullptr), "tutti_wait: the pointer to the handle");
  refuses(tutti_test(&handle, nullptr, nullptr), "tutti_test: the pointer to done");
  refuses(tutti_plan_start(nullptr), "tutti_plan_start: the plan is NULL");
  refuses(tutti_plan_wait(nullptr), "tutti_plan_wait: the plan is NULL");
  refuses(tutti_free(nullptr), "tutti_free: the pointer");
  refuses(tutti_world(nullptr), "tutti_world: the pointer");
  refuses(tutti_join(0, 1, nullptr, nullptr, &none), "tutti_join: the exchange is NULL");
  refuses(tutti_run(1, nullptr, nullptr), "tutti_run: the function of a rank is NULL");
  refuses(tutti_abandon(nullptr, nullptr), "tutti_abandon: the text is NULL");
  EXPECT_OK(tutti_free(&none));
  EXPECT_OK(tutti_plan_free(&plan));
  on_c_ranks(1, [&](tutti_communicator comm) {
    EXPECT_EQ(tutti_call(comm, nullptr), TUTTI_INVALID_ARGUMENT);
    EXPECT_THAT(tutti_last_error(), HasSubstr("the pointer to the arguments is NULL"));
    EXPECT_EQ(tutti_send(comm, nullptr, 2, TUTTI_DOUBLE, 0, 0), TUTTI_INVALID_ARGUMENT);
    EXPECT_THAT(tutti_last_error(), HasSubstr("send: the data is NULL, and has 2 elements"));
    EXPECT_EQ(tutti_receive(comm, &data, 1, 99, 0, 0, nullptr), TUTTI_INVALID_ARGUMENT);
    EXPECT_THAT(tutti_last_error(), HasSubstr("receive: 99 is no element type"));
  });
}

TEST(CMismatch, IsTheSameSentenceOnEveryRank) {
  std::array<std::string, 3> sentences;
  on_c_ranks(3, [&](tutti_communicator comm) {
    const std::int32_t rank = tutti_rank(comm);
    std::vector<double> data(16);
    const std::int64_t count = rank == 1 ? 12 : 16;
    EXPECT_EQ(tutti_all_reduce(comm, data.data(), data.data(), count, TUTTI_DOUBLE, TUTTI_SUM), TUTTI_MISMATCH);
    sentences[static_cast<std::size_t>(rank)] = tutti_last_error();
    // A mismatch ends the communicator's operations, now and from then on.
    EXPECT_EQ(tutti_barrier(comm), TUTTI_MISMATCH);
  });
  EXPECT_THAT(sentences[0], AllOf(HasSubstr("12"), HasSubstr("16"), HasSubstr("rank")));
  EXPECT_EQ(sentences[1], sentences[0]);
  EXPECT_EQ(sentences[2], sentences[0]);
}

TEST(CMismatch, OfAStartedOperationIsToldAtTheWaitThatFreesIt) {
  on_c_ranks(2, [](tutti_communicator comm) {
    std::array<std::int32_t, 2> data{};
    tutti_handle handle = nullptr;
    tutti_call_arguments arguments =
        tutti_arguments_of(TUTTI_BROADCAST, nullptr, data.data(), 1 + tutti_rank(comm), TUTTI_INT32);
    EXPECT_OK(tutti_start(comm, &arguments, &handle));
    std::int32_t done = 0;
    tutti_status status = TUTTI_OK;
    while (done == 0) status = tutti_test(&handle, &done, nullptr);
    if (status == TUTTI_OK) status = tutti_barrier(comm);  // a root may be done before it hears of it
    EXPECT_EQ(status, TUTTI_MISMATCH);
    EXPECT_EQ(handle, nullptr);
  });
}

TEST(CLastError, IsEachThreadsOwn) {
  EXPECT_EQ(tutti_plan_start(nullptr), TUTTI_INVALID_ARGUMENT);
  const std::string here = tutti_last_error();
  std::string before = "unset";
  std::string there;
  std::thread([&] {
    before = tutti_last_error();
    (void)tutti_plan_wait(nullptr);
    there = tutti_last_error();
  }).join();
  EXPECT_EQ(before, "");
  EXPECT_THAT(there, HasSubstr("tutti_plan_wait"));
  EXPECT_EQ(tutti_last_error(), here);
  // A success leaves it.
  EXPECT_OK(tutti_free_memory(nullptr));
  EXPECT_EQ(tutti_last_error(), here);
}

TEST(CVersion, IsThatOfTheHeader) { EXPECT_EQ(tutti_api_version(), TUTTI_API_VERSION); }

TEST(CStatus, HasAName) {
  EXPECT_STREQ(tutti_status_name(TUTTI_OK), "ok");
  EXPECT_STREQ(tutti_status_name(TUTTI_PEER_FAILED), "peer_failed");
  EXPECT_STREQ(tutti_status_name(TUTTI_CALLBACK_FAILED), "callback_failed");
  EXPECT_STREQ(tutti_status_name(9), "unknown");
  EXPECT_STREQ(tutti_status_name(-1), "unknown");
}

}  // namespace
}  // namespace tutti::testing
