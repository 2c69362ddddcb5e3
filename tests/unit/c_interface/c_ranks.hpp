/// @file
/// Ranks of the C interface as threads.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "tutti/tutti.h"

namespace tutti::testing {

using CRank = std::function<void(tutti_communicator)>;

/// Runs the function on so many ranks; the test fails if one of them does. Ranks are threads of this process.
inline void on_c_ranks(int ranks, const CRank& function) {
  const auto rank = [](tutti_communicator comm, void* user) -> tutti_status {
    (*static_cast<const CRank*>(user))(comm);
    return TUTTI_OK;
  };
  const tutti_status status = tutti_run(ranks, rank, const_cast<CRank*>(&function));
  EXPECT_EQ(status, TUTTI_OK) << tutti_last_error();
}

}  // namespace tutti::testing

/// The call succeeds, or the test says the library's sentence.
#define EXPECT_OK(call) EXPECT_EQ((call), TUTTI_OK) << tutti_last_error()
