#include "tuning/measured_communicator.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tutti {
namespace {

constexpr int p = 3;

// The ring is for operators that commute.
TEST(MeasuredCommunicator, CombinesByAnOperatorThatDoesNotCommuteWhereThatIsAsked) {
  tutti::run(p, [](Communicator& comm) {
    std::vector<double> in(2 * p, 1);
    std::vector<double> out(2 * p);
    MeasuredCommunicator sums(comm, MeasuredMemory::plain, "ring");
    EXPECT_NO_THROW(sums.call(Collective::all_reduce, in, out));
    MeasuredCommunicator in_order(comm, MeasuredMemory::plain, "ring", false);
    EXPECT_THROW(in_order.call(Collective::all_reduce, in, out), Error);
  });
}

TEST(MeasuredCommunicator, AddsInOrderToo) {
  tutti::run(p, [](Communicator& comm) {
    MeasuredCommunicator in_order(comm, MeasuredMemory::plain, {}, false);
    std::vector<double> in(2 * p, 1);
    std::vector<double> out(2 * p);
    in_order.call(Collective::all_reduce, in, out);
    EXPECT_EQ(out, std::vector<double>(2 * p, p));
    in_order.call(Collective::scan, in, out);
    EXPECT_EQ(out, std::vector<double>(2 * p, comm.rank() + 1));
    std::vector<double> part(2);
    in_order.call(Collective::reduce_scatter, in, part);
    EXPECT_EQ(part, std::vector<double>(2, p));
    in_order.call(Collective::reduce, in, out);
    if (comm.rank() == 0) {
      EXPECT_EQ(out, std::vector<double>(2 * p, p));
    }
  });
}

}  // namespace
}  // namespace tutti
