/// @file
/// Table of the functions of MPI that the preloaded libraries take over: arguments, names and checks of each, as
/// mpi.def lists them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tutti::mpi_table {

/// Kind of an argument, after which it also is named where a row says no name.
struct ArgumentKind {
  std::string type;         ///< in C: "int"
  std::string wide_type;    ///< in C with large counts: "MPI_Count"
  bool has_length = false;  ///< Fortran passes the text's length behind all arguments
  bool is_of_c = false;     ///< Fortran has no such argument
};

struct MpiArgument {
  std::string kind;
  std::string name;
};

/// Form of a function: a language, and the names that programs call it by.
struct EntryForm {
  std::string language;   ///< "c"; names the templates
  std::string condition;  ///< of the preprocessor, "defined(OPEN_MPI)"; empty: none
  bool has_wide_counts = false;
  std::vector<std::string>
      symbols;  ///< "mpi_{name}_": in small letters, {NAME} in large ones, {Name} as in the standard
};

/// A row of the table, or what follows from it: a nonblocking collective from a blocking one.
struct MpiFunction {
  std::string name;  ///< "Allreduce"
  std::vector<MpiArgument> arguments;
  std::string way;  ///< treatment of a call by the entries; names their template
  std::vector<std::string> forms;
  std::map<std::string, std::string> words;  ///< texts that templates name: "@amount@"
};

struct MpiTable {
  std::map<std::string, ArgumentKind> kinds;
  std::map<std::string, EntryForm> forms;
  std::vector<MpiFunction> functions;
};

/// Reads a table. Throws `Error(invalid_argument)`, "line 12: ...", where it is none.
MpiTable table_of(std::string_view text);

}  // namespace tutti::mpi_table
