/// @file
/// Reading of a table of MPI's functions, and its errors.

#include "mpi_table/mpi_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tutti/error.hpp"

namespace tutti::mpi_table {
namespace {

const std::string kinds =
    "kind comm = MPI_Comm\nkind info = MPI_Info\nkind request = MPI_Request*\nkind count = int | MPI_Count\n"
    "kind text = const char*; length\nform c = c MPI_{Name}\nform wide = c MPICH_VERSION wide MPI_{Name}_c\n";

std::vector<std::string> names_in(const MpiFunction& function) {
  std::vector<std::string> names;
  for (const MpiArgument& argument : function.arguments) names.push_back(argument.kind + " " + argument.name);
  return names;
}

std::string error_of(const std::string& text) {
  try {
    table_of(text);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(MpiTable, HasKindsAndForms) {
  const MpiTable table = table_of(kinds);
  EXPECT_EQ(table.kinds.at("count").type, "int");
  EXPECT_EQ(table.kinds.at("count").wide_type, "MPI_Count");
  EXPECT_EQ(table.kinds.at("comm").wide_type, "MPI_Comm");
  EXPECT_TRUE(table.kinds.at("text").has_length);
  EXPECT_EQ(table.forms.at("wide").condition, "defined(MPICH_VERSION)");
  EXPECT_TRUE(table.forms.at("wide").has_wide_counts);
  EXPECT_THAT(table.forms.at("wide").symbols, testing::ElementsAre("MPI_{Name}_c"));
}

TEST(MpiTable, ARowIsAFunctionForEachNameWithTheSectionsTexts) {
  const MpiTable table = table_of(kinds +
                                  "[checked]\nforms: c\ncheck: first\n    half\n# A comment.\nSend Ssend(count,\n"
                                  "     comm other)\n  check: second\n    half: it\nRecv(comm)\n");
  ASSERT_EQ(table.functions.size(), 3U);
  EXPECT_EQ(table.functions[0].name, "Send");
  EXPECT_EQ(table.functions[1].name, "Ssend");
  EXPECT_EQ(table.functions[1].way, "checked");
  EXPECT_THAT(names_in(table.functions[1]), testing::ElementsAre("count count", "comm other"));
  EXPECT_EQ(table.functions[1].words.at("check"), "second half: it");
  EXPECT_EQ(table.functions[2].words.at("check"), "first half");
}

TEST(MpiTable, NonblockingAndPersistentFunctionsFollowFromARow) {
  const MpiTable table =
      table_of(kinds + "[served]\nforms: c wide\nnonblocking: wide\npersistent: c\nBcast(count, comm)\n");
  ASSERT_EQ(table.functions.size(), 3U);
  EXPECT_EQ(table.functions[1].name, "Ibcast");
  EXPECT_EQ(table.functions[1].way, "nonblocking");
  EXPECT_THAT(table.functions[1].forms, testing::ElementsAre("wide"));
  EXPECT_THAT(names_in(table.functions[1]), testing::ElementsAre("count count", "comm comm", "request request"));
  EXPECT_EQ(table.functions[2].name, "Bcast_init");
  EXPECT_THAT(names_in(table.functions[2]),
              testing::ElementsAre("count count", "comm comm", "info info", "request request"));
}

TEST(MpiTable, ErrorsNameTheLineAndTheRemedy) {
  EXPECT_THAT(error_of("kind int int\n"), testing::StartsWith("line 1: a kind is 'kind NAME = TYPE'"));
  EXPECT_EQ(error_of("kind int = int; long\n"), "line 1: 'long' is no mark; write length or c");
  EXPECT_EQ(error_of("form c = c\n"), "line 1: a form is 'form NAME = LANGUAGE [MACRO] [wide] SYMBOL ...'");
  EXPECT_EQ(error_of("  half\n"), "line 1: 'half' belongs to no function; begin the line of one without spaces");
  EXPECT_EQ(error_of(kinds + "[a]\nSend(rank)\n[b]\n"), "line 9: 'rank' is no kind; add 'kind rank = TYPE'");
  EXPECT_EQ(error_of(kinds + "[a]\nSend(int a b)\n[b]\n"), "line 9: 'int a b' is no kind, nor a kind and a name");
  EXPECT_EQ(error_of(kinds + "[a]\nSend\n[b]\n"), "line 9: 'Send' is no NAME(kind name, ...)");
  EXPECT_EQ(error_of(kinds + "[a]\nforms: f08\nSend()\n[b]\n"),
            "line 10: Send has the form 'f08'; add 'form f08 = ...'");
}

}  // namespace
}  // namespace tutti::mpi_table
