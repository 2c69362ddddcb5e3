/// @file
/// Files that are built into the program: tutti_embed in cmake/Embed.cmake writes a folder's as one list.
#pragma once

#include <span>
#include <string_view>

#include "base/check.hpp"

namespace tutti {

struct EmbeddedFile {
  std::string_view name;  ///< without its folder
  std::string_view text;
};

/// Returns the text of the file of that name, which must be one of `files`.
constexpr std::string_view embedded_text(std::span<const EmbeddedFile> files, std::string_view name) {
  for (const EmbeddedFile& file : files) {
    if (file.name == name) return file.text;
  }
  fail(ErrorCode::internal, "no file called {} is built in; name one of its folder", name);
}

}  // namespace tutti
