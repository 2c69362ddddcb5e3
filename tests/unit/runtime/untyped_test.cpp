/// @file
/// Calls without types, each beside the typed one.

#include "tutti/untyped.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <numeric>
#include <optional>
#include <thread>

#include "support/ranks.hpp"

namespace tutti {
namespace {

using ::testing::HasSubstr;
using testing::on_ranks;
using untyped::Primitive;
using untyped::Reduction;

/// A call as a binding makes it: everything is known at run time alone.
untyped::Call call_of(Collective collective, const std::vector<int>& in, std::vector<int>& out) {
  untyped::Call call{.collective = collective};
  call.input = in.data();
  call.input_size = static_cast<std::int64_t>(in.size());
  call.output = out.data();
  call.output_size = static_cast<std::int64_t>(out.size());
  call.type = untyped::type_of(Primitive::int32);
  if (collective == Collective::all_reduce || collective == Collective::scan)
    call.op = untyped::built_in(Reduction::sum, Primitive::int32);
  return call;
}

// Rank 0 calls with types, the others without: the calls meet, and all results are the same.
TEST(Untyped, CallsMeetTypedOnes) {
  on_ranks(3, [](Communicator& comm) {
    const bool typed = comm.rank() == 0;
    const auto p = static_cast<std::size_t>(comm.size());
    std::vector<int> in(p);
    std::iota(in.begin(), in.end(), 10 * comm.rank());
    const std::vector<int> one{comm.rank()};
    std::vector<int> out(p, -1);
    std::vector<int> whole(p * p, -1);
    typed ? comm.all_reduce(in, out, sum) : comm.run(call_of(Collective::all_reduce, in, out));
    EXPECT_EQ(out, (std::vector<int>{30, 33, 36}));
    typed ? comm.all_gather(in, whole) : comm.run(call_of(Collective::all_gather, in, whole));
    EXPECT_EQ(whole, (std::vector<int>{0, 1, 2, 10, 11, 12, 20, 21, 22}));
    typed ? comm.all_to_all(in, out) : comm.start(call_of(Collective::all_to_all, in, out)).wait();
    EXPECT_EQ(out, (std::vector<int>{comm.rank(), 10 + comm.rank(), 20 + comm.rank()}));
    Plan plan = typed ? comm.plan_scan(in, out, sum) : comm.plan(call_of(Collective::scan, in, out));
    plan();
    EXPECT_EQ(out[0], std::vector<int>({0, 10, 30})[static_cast<std::size_t>(comm.rank())]);
    std::vector<int> data{comm.rank(), 7};
    untyped::Call broadcast = call_of(Collective::broadcast, {}, data);
    broadcast.in_place = true;
    broadcast.root = 1;
    typed ? comm.broadcast(data, 1) : comm.run(broadcast);
    EXPECT_EQ(data, (std::vector<int>{1, 7}));
    const std::vector<std::int64_t> counts(p, 1);
    untyped::Call gather = call_of(Collective::gather, one, out);
    gather.by_counts = true;
    gather.counts = counts;
    typed ? comm.gather_v(one, out, counts) : comm.run(gather);
    if (comm.rank() == 0) {
      EXPECT_EQ(out, (std::vector<int>{0, 1, 2}));
    }
    comm.run({});  // a barrier
  });
}

// Each rank is late in its turn; all results are those of run(), with a handle and without, also while others are under
// way and where messages are long.
TEST(Untyped, CallsAreDoneOrStarted) {
  for (const int p : testing::possible({1, 2, 3, 4})) {
    on_ranks(p, [p](Communicator& comm) {
      const int sum_of_ranks = p * (p - 1) / 2;
      for (const std::size_t n : {0, 1, 3, 100, 50000}) {
        for (int turn = 0; turn < 3 * p; ++turn) {
          if (comm.rank() == turn % p) std::this_thread::sleep_for(std::chrono::microseconds(100 * (turn / p)));
          std::vector<int> first(n, -1);
          std::vector<int> second(n, -1);
          const std::vector<int> in(n, comm.rank());
          const std::vector<int> other(n, turn);
          std::optional<Handle> one = comm.run_or_start(call_of(Collective::all_reduce, in, first));
          std::optional<Handle> two = comm.run_or_start(call_of(Collective::all_reduce, other, second));
          if (two) two->wait();
          if (one) one->wait();
          EXPECT_EQ(first, std::vector<int>(n, sum_of_ranks));
          EXPECT_EQ(second, std::vector<int>(n, p * turn));
        }
      }
    });
  }
}

TEST(Untyped, CallsThatWereNotDoneAreNamedWhereRanksDiffer) {
  TUTTI_NEEDS_RANKS(3);
  const auto outcomes = testing::outcomes_of(3, [](Communicator& comm) {
    const std::vector<int> in(comm.rank() == 1 ? 2 : 1);
    std::vector<int> out(in.size());
    if (auto handle = comm.run_or_start(call_of(Collective::all_reduce, in, out))) handle->wait();
    comm.wait_all();
  });
  for (const testing::Outcome& each : outcomes) {
    EXPECT_EQ(each.code, ErrorCode::mismatch);
    EXPECT_THAT(each.message, HasSubstr("rank 1"));
  }
}

// 24-bit numbers, which no C++ type has: moved as bytes, and combined by a kernel of the caller's.
TEST(Untyped, ElementsAndOperatorsMayBeTheCallers) {
  const detail::Kernel keep_last = [](void* into, const void* const* operands, int count, std::int64_t n,
                                      detail::Stores, const void*) {
    std::memmove(into, operands[count - 1], static_cast<std::size_t>(3 * n));
  };
  on_ranks(4, [&](Communicator& comm) {
    std::array<unsigned char, 6> in{};
    in.fill(static_cast<unsigned char>(comm.rank() + 1));
    std::array<unsigned char, 6> out{};
    untyped::Call call{.collective = Collective::all_reduce};
    call.input = in.data();
    call.output = out.data();
    call.input_size = call.output_size = 2;
    call.type = untyped::type_of_bytes(3, "int24");
    call.op = untyped::caller_defined(keep_last, nullptr, false, 24, "last");
    comm.run(call);
    EXPECT_EQ(out[0], 4);
    EXPECT_EQ(out[5], 4);
  });
}

TEST(Untyped, WhatDoesNotFitIsTold) {
  const auto code_of = [](const auto& make) {
    try {
      make();
    } catch (const Error& error) {
      return std::optional(error.code());
    }
    return std::optional<ErrorCode>();
  };
  EXPECT_EQ(code_of([] { untyped::built_in(Reduction::bitwise_and, Primitive::single); }), ErrorCode::unsupported);
  EXPECT_EQ(code_of([] { untyped::built_in_average(Primitive::int32); }), ErrorCode::unsupported);
  EXPECT_EQ(code_of([] { untyped::type_of(Primitive::none); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([] { untyped::type_of_bytes(0, "nothing"); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([] { untyped::built_in(Reduction::sum, Primitive::half); }), std::nullopt);
  // Bindings pass numbers.
  EXPECT_EQ(code_of([] { untyped::type_of(static_cast<Primitive>(200)); }), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([] { untyped::built_in(static_cast<Reduction>(77), Primitive::int32); }),
            ErrorCode::invalid_argument);
  EXPECT_EQ(code_of([] { untyped::built_in(Reduction::sum, static_cast<Primitive>(77)); }),
            ErrorCode::invalid_argument);
}

TEST(Untyped, CallsThatNoTypedOneCanMakeAreRefused) {
  on_ranks(2, [](Communicator& comm) {
    std::vector<int> all(5);
    untyped::Call overlapping = call_of(Collective::all_gather, {}, all);
    overlapping.input = all.data() + 1;
    overlapping.input_size = 2;
    overlapping.output_size = 4;
    overlapping.in_place = true;
    EXPECT_THROW(comm.run(overlapping), Error);
    untyped::Call without_a_type = call_of(Collective::broadcast, {}, all);
    without_a_type.in_place = true;
    without_a_type.type.size = 0;
    EXPECT_THROW(comm.run(without_a_type), Error);
    comm.barrier();
  });
}

TEST(Untyped, ReductionsNeedAnOperatorThatTheyCanUse) {
  on_ranks(2, [](Communicator& comm) {
    const std::vector<double> in(4, comm.rank());
    std::vector<double> out(4);
    const auto told_of = [&](Collective collective, const untyped::Operator& op) -> std::string {
      untyped::Call call{.collective = collective};
      call.input = in.data();
      call.input_size = 4;
      call.output = out.data();
      call.output_size = collective == Collective::reduce_scatter ? 2 : 4;
      call.type = untyped::type_of(Primitive::twice);
      call.op = op;
      try {
        comm.run(call);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        return error.what();
      }
      return {};
    };
    for (const Collective collective : {Collective::reduce, Collective::all_reduce, Collective::reduce_scatter,
                                        Collective::scan, Collective::exclusive_scan}) {
      EXPECT_EQ(told_of(collective, untyped::built_in(Reduction::sum, Primitive::twice)), "");
      EXPECT_THAT(told_of(collective, {}), HasSubstr("needs an operator")) << static_cast<int>(collective);
    }
    const untyped::Operator average = untyped::built_in_average(Primitive::twice);
    for (const Collective collective : {Collective::scan, Collective::exclusive_scan})
      EXPECT_THAT(told_of(collective, average), HasSubstr("average is not offered for scans"));
    EXPECT_EQ(told_of(Collective::all_reduce, average), "");
    EXPECT_EQ(out[0], 0.5);
  });
}

TEST(Untyped, ParcelsHaveNoNegativeCount) {
  on_ranks(1, [](Communicator& comm) {
    int data = 0;
    const untyped::Parcel parcel{&data, -3, detail::datatype_of<int>()};
    const auto told_of = [](const auto& call) -> std::string {
      try {
        call();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
        return error.what();
      }
      return {};
    };
    const untyped::Parcel sound{&data, 1, parcel.type};
    for (const std::string& told :
         {told_of([&] { static_cast<void>(comm.start_send(parcel, 0, {})); }),
          told_of([&] { static_cast<void>(comm.start_receive(parcel, 0, {})); }),
          told_of([&] { static_cast<void>(comm.start_send_receive(parcel, 0, sound, 0, {})); }),
          told_of([&] { static_cast<void>(comm.start_send_receive(sound, 0, parcel, 0, {})); })})
      EXPECT_THAT(told, HasSubstr("a count is at least 0, not -3"));
  });
}

// Types and operators made at run time are those that the compiler makes.
TEST(Untyped, PrimitivesAndOperatorsAreTheTypedOnes) {
  const auto expect_type = [](const detail::Datatype& type) {
    const detail::Datatype made = untyped::type_of(type.primitive);
    EXPECT_EQ(made.size, type.size);
    EXPECT_EQ(made.identity, type.identity);
    EXPECT_EQ(made.name, type.name);
  };
  expect_type(detail::datatype_of<bool>());
  expect_type(detail::datatype_of<short>());
  expect_type(detail::datatype_of<std::uint64_t>());
  expect_type(detail::datatype_of<bfloat16>());
  expect_type(detail::datatype_of<double>());
  expect_type(detail::datatype_of<std::complex<double>>());
  EXPECT_EQ(untyped::built_in(Reduction::maximum, Primitive::twice).identity,
            detail::operator_for<double>(maximum).identity);
  EXPECT_EQ(untyped::built_in_average(Primitive::twice).identity, detail::operator_for<double>(average).identity);
}

TEST(SplitByNode, HasTheRanksOfAMachineInTheirOrder) {
  on_ranks(5, [](Communicator& comm) {
    Communicator node = comm.split_by_node();
    EXPECT_EQ(node.size(), 5);
    EXPECT_EQ(node.rank(), comm.rank());
  });
}

}  // namespace
}  // namespace tutti
