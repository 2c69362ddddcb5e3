/// @file
/// Text as logs, terminals and chats paste it, read as words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tutti {

/// Returns the words of each line: runs of letters, digits, '_' and '/'. All else parts words: blanks, no-break spaces,
/// bars of tables, quotes, brackets, colons. Left out are escape sequences of terminals, also where they have lost their
/// escape character ("[4m") or have it in letters ("\u001b[4m"), tags such as "<td>" and "<stdout>", and marks such as
/// "&nbsp;" and a byte order mark. Text in UTF-16 with such a mark is read, too. "\t" and "\n" in letters stand for what
/// they mean.
std::vector<std::vector<std::string>> words_of_lines(std::string_view text);

}  // namespace tutti
