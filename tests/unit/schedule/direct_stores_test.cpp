/// @file
/// Results that may reach their receivers a step early, and those that may not.

#include "schedule/rewrite/rewrites.hpp"

#include <gtest/gtest.h>

#include "algorithms/table.hpp"
#include "schedule/record/script.hpp"
#include "schedule/rewrite/program_compiler.hpp"
#include "support/by_hand.hpp"

namespace tutti {
namespace {

using testing::in;
using testing::out;
using testing::Text;

constexpr std::int64_t whole = 8;

CompiledProgram compiled(const Text& text, int rank) {
  const Problem problem{.collective = Collective::all_reduce, .ranks = 3, .count = whole};
  return compile(record_rank([&](Script& me, const Problem&) { text(me); }, problem, rank));
}

/// A step, then one in which rank 0 receives the first half of its output from rank 1: the places that it may open.
std::vector<DirectStore> places_after(const Text& step) {
  return compiled(
             [&](Script& me) {
               step(me);
               me.wait();
               me.receive(out(0, 4), 1);
             },
             0)
      .direct_stores;
}

TEST(DirectStores, AreTheOtherPartsOfADirectAllReduce) {
  for (const bool in_place : {false, true}) {
    for (int p = 1; p <= 9; ++p) {
      const Problem problem{.collective = Collective::all_reduce, .ranks = p, .count = 5 * p + 2, .in_place = in_place};
      for (int rank = 0; rank < p; ++rank) {
        const CompiledProgram program = compile(record_rank(algorithms::all_reduce_direct.record, problem, rank));
        ASSERT_EQ(program.direct_stores.size(), static_cast<std::size_t>(p - 1));
        ASSERT_EQ(program.onward.size(), static_cast<std::size_t>(p - 1));
        for (const DirectStore& place : program.direct_stores) EXPECT_EQ(place.is_sent, in_place);
      }
    }
  }
}

TEST(DirectStores, AreNotWhatTheStepBeforeTouches) {
  EXPECT_EQ(places_after([](Script& me) { me.send(in(0, 4), 1); }).size(), 1U);
  EXPECT_EQ(places_after([](Script& me) { me.copy(out(4, 4), out(0, 4)); }).size(), 0U) << "read";
  EXPECT_EQ(places_after([](Script& me) { me.copy(out(3, 1), in(0, 1)); }).size(), 0U) << "written";
  EXPECT_EQ(places_after([](Script& me) { me.receive(out(0, 4), 2); }).size(), 0U) << "received into";
  EXPECT_EQ(places_after([](Script& me) { me.receive_reduce(out(4, 4), out(0, 4), 1); }).size(), 0U) << "an operand";
}

TEST(DirectStores, MayBeSentToWhoFillsThemAndJustSo) {
  const auto same = places_after([](Script& me) { me.send(out(0, 4), 1); });
  ASSERT_EQ(same.size(), 1U);
  EXPECT_TRUE(same.front().is_sent);
  EXPECT_EQ(places_after([](Script& me) { me.send(out(0, 4), 2); }).size(), 0U) << "to another rank";
  EXPECT_EQ(places_after([](Script& me) { me.send(out(0, 5), 1); }).size(), 0U) << "with more";
  EXPECT_EQ(places_after([](Script& me) { me.send({out(0, 2), in(0, 2)}, 1); }).size(), 0U) << "in part";
  EXPECT_EQ(places_after([](Script& me) {
              me.send(out(0, 4), 1);
              me.send(out(0, 4), 1);
            }).size(),
            0U)
      << "twice";
}

TEST(DirectStores, AreOnlyForMessagesThatAreJustReceived) {
  const auto places = [](const Text& step) {
    return compiled(
               [&](Script& me) {
                 me.send(in(0, 4), 1);
                 me.wait();
                 step(me);
               },
               0)
        .direct_stores.size();
  };
  EXPECT_EQ(places([](Script& me) { me.receive(out(0, 4), 1); }), 1U);
  EXPECT_EQ(places([](Script& me) { me.receive({out(0, 2), out(4, 2)}, 1); }), 0U) << "in two pieces";
  EXPECT_EQ(places([](Script& me) { me.receive_reduce(out(0, 4), in(0, 4), 1); }), 0U) << "combined";
  const auto later_in_a_chain = [](Script& me) {
    me.chain([&] {
      me.copy(out(0, 4), in(0, 4));
      me.receive(out(0, 4), 1);
    });
  };
  EXPECT_EQ(places(later_in_a_chain), 0U) << "after something else";
}

TEST(DirectStores, AreFilledByWhatIsFinal) {
  const auto onward = [](const Text& step) {
    return compiled(
               [&](Script& me) {
                 step(me);
                 me.wait();
                 me.send(out(0, 4), 1);
                 me.send(out(0, 4), 2);
                 me.send(out(0, 3), 2);
               },
               0)
        .onward.size();
  };
  EXPECT_EQ(onward([](Script& me) { me.receive_reduce(out(0, 4), in(0, 4), 1); }), 2U);
  EXPECT_EQ(onward([](Script& me) { me.receive(out(0, 4), 1); }), 0U) << "nothing is combined";
  EXPECT_EQ(onward([](Script& me) { me.receive_reduce(out(0, 5), in(0, 5), 1); }), 0U) << "more than is sent";
  const auto goes_on = [](Script& me) {
    me.chain([&] {
      me.receive_reduce(out(0, 4), in(0, 4), 1);
      me.receive_reduce(out(0, 4), in(4, 4), 2);
    });
  };
  EXPECT_EQ(onward(goes_on), 2U) << "of the last of a chain alone";
}

}  // namespace
}  // namespace tutti
