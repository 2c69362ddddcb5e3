/// @file
/// Files that are built in: each is found by its name.

#include "base/text/embedded.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tutti/error.hpp"

namespace tutti {
namespace {

TEST(Embedded, FilesAreFoundByName) {
  constexpr std::array files{EmbeddedFile{"a.txt", "one"}, EmbeddedFile{"b.txt", "two"}};
  EXPECT_EQ(embedded_text(files, "a.txt"), "one");
  EXPECT_EQ(embedded_text(files, "b.txt"), "two");
  EXPECT_THROW(embedded_text(files, "b"), Error);
}

}  // namespace
}  // namespace tutti
