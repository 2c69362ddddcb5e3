/// @file
/// Functions that MPI's headers declare against the table: no collective is missing there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/text/short_file.hpp"
#include "mpi_table/mpi_table.hpp"

namespace tutti::mpi_table {
namespace {

/// Functions of C in headers: names, and the arguments as they stand there.
using Declarations = std::vector<std::pair<std::string, std::string>>;

Declarations declared_in(const std::string& header) {
  static const std::regex function(R"(int\s+(MPIX?_\w+)\s*\(([^()]*)\))");
  Declarations all;
  for (std::sregex_iterator each(header.begin(), header.end(), function), end; each != end; ++each)
    all.emplace_back((*each)[1], (*each)[2]);
  return all;
}

/// Whether all ranks of a communicator call the function and exchange data, by its name and arguments.
bool is_collective(const std::string& name, const std::string& arguments) {
  static const std::regex collective(
      R"(MPIX?_(I?|Neighbor_|Ineighbor_)(barrier|bcast|(all)?gatherv?|scatterv?|alltoall[vw]?|)"
      R"((all)?reduce(_scatter(_block)?)?|(ex)?scan)(_init)?(_c)?)",
      std::regex::icase);
  return std::regex_match(name, collective) && arguments.find("MPI_Comm comm") != std::string::npos;
}

/// Whether the function makes a communicator, a window or a file of a communicator, all of whose ranks call it.
bool is_maker(const std::string& name, const std::string& arguments) {
  // The ranks of the group alone call this one.
  if (name == "MPI_Comm_create_group") return false;
  static const std::regex made(R"(MPI_(Comm|Win|File) *\*)");
  static const std::regex of(R"(MPI_Comm [a-z])");
  return name.starts_with("MPI_") && std::regex_search(arguments, made) && std::regex_search(arguments, of);
}

/// Symbols of C that the table has for the MPI of that macro.
std::set<std::string> symbols_in(const MpiTable& table, const std::string& macro) {
  std::set<std::string> symbols;
  for (const MpiFunction& function : table.functions) {
    for (const std::string& name : function.forms) {
      const EntryForm& form = table.forms.at(name);
      if (!form.condition.empty() && form.condition != "defined(" + macro + ")") continue;
      for (const std::string& pattern : form.symbols)
        symbols.insert(std::regex_replace(pattern, std::regex("\\{Name\\}"), function.name));
    }
  }
  return symbols;
}

/// Text of all headers of an MPI, with those that it has beyond the standard.
std::string headers_in(const std::filesystem::path& folder) {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name == "mpi.h" || name == "mpio.h" || name == "mpi_proto.h" || name.starts_with("mpiext_"))
      text += short_file(entry.path());
  }
  return text;
}

TEST(MpiHeaders, DeclareNoCollectiveThatTheTableLacks) {
  const MpiTable table = table_of(short_file(TUTTI_MPI_TABLE));
  std::istringstream mpis(TUTTI_MPI_HEADERS);
  for (std::string mpi; mpis >> mpi;) {
    const std::size_t equals = mpi.find('=');
    const std::set<std::string> symbols = symbols_in(table, mpi.substr(0, equals));
    int collectives = 0;
    int makers = 0;
    for (const auto& [name, arguments] : declared_in(headers_in(mpi.substr(equals + 1)))) {
      if (is_collective(name, arguments)) ++collectives;
      if (is_maker(name, arguments)) ++makers;
      const bool is_wanted = is_collective(name, arguments) || is_maker(name, arguments);
      EXPECT_TRUE(!is_wanted || symbols.contains(name)) << name << "(" << arguments << ") has no row in mpi.def";
    }
    // Blocking, nonblocking and persistent: 22 collectives.
    EXPECT_GE(collectives, 66) << mpi;
    EXPECT_GE(makers, 15) << mpi;
  }
}

TEST(MpiHeaders, FunctionsAreFoundInThem) {
  const Declarations all = declared_in("int MPI_Bcast(void *buffer, int n,\n  MPI_Comm comm) ATTRIBUTE(1);\nint x;\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(is_collective(all[0].first, all[0].second));
  EXPECT_FALSE(is_collective("MPI_Reduce_local", "const void *in, MPI_Op op"));
  EXPECT_FALSE(is_collective("MPI_Isend", "MPI_Comm comm"));
  EXPECT_TRUE(is_collective("MPIX_Neighbor_alltoallw_init", "MPI_Comm comm"));
  EXPECT_TRUE(is_collective("MPI_Ireduce_scatter_block_c", "MPI_Comm comm"));
  EXPECT_TRUE(is_maker("MPI_Comm_dup", "MPI_Comm comm, MPI_Comm *newcomm"));
  EXPECT_FALSE(is_maker("MPI_Comm_get_parent", "MPI_Comm *parent"));
}

}  // namespace
}  // namespace tutti::mpi_table
