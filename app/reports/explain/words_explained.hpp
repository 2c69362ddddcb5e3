/// @file
/// Words of the field, explained: terms of the glossary, names of algorithms across collectives, families of networks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/command_line/outcome.hpp"
#include "schedule/model/problem.hpp"

namespace tutti::app {

/// Whether explain_word() has an answer: a term, an algorithm of any collective or a network has that name.
bool is_known_word(std::string_view word);

/// Explains the word: its meaning, its use, the algorithms of that name, and what to type next. Throws `Error` naming the
/// nearest known word where nothing has that name.
Outcome explain_word(const std::string& word, bool json);

/// All words that explain takes, as a table, as JSON, or as docs/glossary.md.
Outcome list_words(bool json, bool markdown);

/// Relations of the collective to others, and its dual: "It is p broadcasts at once, one from each rank. Its dual is
/// reduce-scatter." Empty where there is nothing to say.
std::string relations_of(Collective collective);

/// The sentence on a word that no command takes, where explain knows it: "'ring' is no command; ask for it: tutti
/// explain ring". Empty for any other word.
std::string hint_on_word(std::string_view word);

}  // namespace tutti::app
