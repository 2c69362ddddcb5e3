// Writer of the entries of MPI's functions: write_mpi_entries TABLE FOLDER LANGUAGE=TEMPLATES ... makes a file for each
// section of the templates, FOLDER/served_c.inc of the way `served` and the language `c`. See src/mpi_table.

#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "base/text/short_file.hpp"
#include "mpi_table/entry_writer.hpp"
#include "mpi_table/mpi_table.hpp"
#include "tutti/error.hpp"

namespace {

void write(const std::string& folder, const std::string& language, const std::string& file,
           const tutti::mpi_table::MpiTable& table) {
  const auto templates = tutti::mpi_table::templates_of(tutti::short_file(file));
  auto entries = tutti::mpi_table::entries_of(table, language, templates);
  for (const auto& [heading, text] : templates) {
    const std::string way = heading.substr(0, heading.find(' '));
    if (way == "entry" || way == "text") continue;
    const std::string content = "// Generated from mpi.def. NOLINTBEGIN\n" + entries[way] + "// NOLINTEND\n";
    const std::string output = folder + "/" + way + "_" + language + ".inc";
    // A file that stays as it is makes nothing anew.
    if (std::filesystem::exists(output) && tutti::short_file(output) == content) continue;
    if (!tutti::put_in_file(output, content))
      throw tutti::Error(tutti::ErrorCode::invalid_argument, output + " cannot be written; make room on its disk");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) {
    std::fputs("usage: write_mpi_entries TABLE FOLDER LANGUAGE=TEMPLATES ...\n", stderr);
    return 2;
  }
  std::string file = arguments[0];
  try {
    const auto table = tutti::mpi_table::table_of(tutti::short_file(file));
    for (std::size_t k = 2; k < arguments.size(); ++k) {
      const std::size_t equals = arguments[k].find('=');
      file = arguments[k].substr(equals + 1);
      write(arguments[1], arguments[k].substr(0, equals), file, table);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", file.c_str(), error.what());
    return 1;
  }
  return 0;
}
