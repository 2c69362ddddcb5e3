/// @file
/// Writer of entries: fills the templates of a language with the rows of the table.
///
/// A file of templates has sections: "[entry]" is what every entry of the language has around its body, "@body@", and
/// "[served]" the body of the functions whose way is "served", but for a form with a "[served f08]" of its own. In all
/// of them "@key@" stands for a text of the row, for the section "[text key]", or for one that follows from the row:
///
///     @name@            "Allreduce", @small@ "allreduce"; @symbol@ the name that programs call: "MPI_Allreduce_c"
///     @parameters@      "Word sendbuf, Word recvbuf, ...", in the language's type of a parameter
///     @parameter_types@ "Word, Word, ...", @pass@ "sendbuf, recvbuf, ..." and @number@ how many there are
///     @types@           "const void*, void*, ...", in C
///     @data@            the arguments before the communicator
///     @count@           "int" or "MPI_Count", and @wide@ "" or "_c"
///     @result@          the function's result in that language
///     @folds@           "true" where an argument is an operator
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "mpi_table/mpi_table.hpp"

namespace tutti::mpi_table {

/// Templates of one language: texts by their headings.
using EntryTemplates = std::map<std::string, std::string>;

/// Reads the sections of a file of templates.
EntryTemplates templates_of(std::string_view text);

/// Returns the entries of that language, by the functions' way. Throws `Error(invalid_argument)` if a template is
/// missing, or a text that one names.
std::map<std::string, std::string> entries_of(const MpiTable& table, const std::string& language,
                                              const EntryTemplates& templates);

}  // namespace tutti::mpi_table
