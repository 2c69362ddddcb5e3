/// @file
/// Entries written of templates and a table.

#include "mpi_table/entry_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tutti/error.hpp"

namespace tutti::mpi_table {
namespace {

const std::string table =
    "kind in = const void*\nkind count = int | MPI_Count\nkind text = const char*; length\nkind argc = int*; c\n"
    "kind op = MPI_Op\nkind comm = MPI_Comm\nform c = c MPI_{Name}\nform wide = c MPICH_VERSION wide MPI_{Name}_c\n"
    "form fortran = fortran OPEN_MPI mpi_{name}_ MPI_{NAME}\nform f08 = fortran MPICH_VERSION mpi_{name}_f08_\n"
    "[way]\nforms: c wide fortran f08\n";

std::string entries(const std::string& rows, const std::string& language, const std::string& templates) {
  return entries_of(table_of(table + rows), language, templates_of(templates))["way"];
}

std::string error_of(const std::string& rows, const std::string& templates) {
  try {
    entries(rows, "c", templates);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(EntryWriter, WritesEachFormInItsLanguage) {
  const std::string rows = "Scan(in buf, count, op, comm)\n";
  EXPECT_EQ(
      entries(rows, "c", "[entry]\n@symbol@(@types@) {@body@}\n[way]\n@pass@ @data@ @count@ @folds@ @number@\n"),
      "MPI_Scan(const void*, int, MPI_Op, MPI_Comm) {buf, count, op, comm buf, count, op int true 4\n}\n"
      "#if defined(MPICH_VERSION)\n"
      "MPI_Scan_c(const void*, MPI_Count, MPI_Op, MPI_Comm) {buf, count, op, comm buf, count, op MPI_Count true 4\n"
      "}\n#endif\n");
  EXPECT_EQ(entries(rows, "fortran", "[entry]\n@result@ @symbol@(@parameter_types@)\n[way]\n"),
            "#if defined(OPEN_MPI)\nvoid mpi_scan_(void*, void*, void*, void*, void*)\n"
            "void MPI_SCAN(void*, void*, void*, void*, void*)\n#endif\n"
            "#if defined(MPICH_VERSION)\nvoid mpi_scan_f08_(void*, void*, void*, void*, void*)\n#endif\n");
}

TEST(EntryWriter, FortranHasLengthsOfTextsBehindTheCodeAndNoArgumentsOfC) {
  EXPECT_EQ(entries("Init(argc, text name)\n  forms: f08\n", "fortran", "[entry]\n@parameters@\n[way]\n"),
            "#if defined(MPICH_VERSION)\nvoid* name, void* ierror, void* length_1\n#endif\n");
  EXPECT_EQ(entries("Wtime()\n  returns: double\n  forms: f08\n", "fortran", "[entry]\n@result@(@pass@)\n[way]\n"),
            "#if defined(MPICH_VERSION)\ndouble()\n#endif\n");
}

TEST(EntryWriter, ATemplateOfAFormComesFirst) {
  EXPECT_EQ(entries("A(comm)\n  forms: fortran f08\n", "fortran", "[entry]\n@body@\n[way]\nall\n[way f08]\none\n"),
            "#if defined(OPEN_MPI)\nall\n\nall\n\n#endif\n#if defined(MPICH_VERSION)\none\n\n#endif\n");
}

TEST(EntryWriter, TextsMayNameOthers) {
  const std::string rows = "A(comm)\n  forms: c\n  check: f(@what@)\n  what: @name@ @small@\n";
  EXPECT_EQ(entries(rows, "c", "[entry]\n@body@\n[way]\n@check@\n"), "f(A a)\n\n");
}

TEST(EntryWriter, TemplatesMayHaveTextsInCommon) {
  EXPECT_EQ(entries("A(comm)\n  forms: c\n", "c", "[entry]\n@body@\n[text both]\n@name@ 1\n2\n[way]\n@both@\n3\n"),
            "A 1\n2\n3\n\n");
}

TEST(EntryWriter, AConditionOfTheRowHolds) {
  EXPECT_EQ(entries("A(comm)\n  forms: c\n  only: MPI_VERSION >= 4\n", "c", "[entry]\nx\n[way]\n"),
            "#if MPI_VERSION >= 4\nx\n#endif\n");
}

TEST(EntryWriter, ErrorsNameTheRemedy) {
  EXPECT_EQ(error_of("A(comm)\n", "[entry]\n@check@\n[way]\n"), "MPI_A has no 'check'; write '  check: ...' behind it");
  EXPECT_EQ(error_of("A(comm)\n  check: @check@\n", "[entry]\n@check@\n[way]\n"), "'@check@' names itself");
  EXPECT_EQ(error_of("A(comm)\n", "[entry]\n"), "no template is called 'way'; write one under [way]");
}

}  // namespace
}  // namespace tutti::mpi_table
