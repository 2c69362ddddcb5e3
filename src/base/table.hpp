/// @file
/// Tables of text.
#pragma once

#include <string>
#include <vector>

namespace tutti {

/// Rows of cells as aligned columns, two blanks between them; the first row is the heading.
std::string table_of(const std::vector<std::vector<std::string>>& rows);

}  // namespace tutti
