/// @file
/// Recognizes files of other programs, so that an error can say what it was given.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tutti {

/// A kind of file.
struct TextKind {
  std::string_view what;    ///< "a platform of SimGrid"
  std::string_view remedy;  ///< advice, which names no file, so that nobody writes over the one at hand
};

/// Returns what the text seems to be, by its first lines; nothing where no kind fits.
std::optional<TextKind> kind_of_text(std::string_view text);

/// Returns "; it seems to be a platform of SimGrid: describe its links as FILE.json", or `otherwise` where no kind
/// fits, or one whose name has the word `wanted` in it: then the text is of the kind that was looked for, and wrong.
std::string seems_to_be(std::string_view text, std::string_view wanted, std::string_view otherwise = {});

}  // namespace tutti
