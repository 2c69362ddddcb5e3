#include "app/command_line/picture_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/command_line/files.hpp"
#include "app/command_line/platform.hpp"
#include "base/check.hpp"
#include "draw/tikz.hpp"

namespace tutti::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* converter = "rsvg-convert";

bool is_converted(const std::string& name) { return name.ends_with(".pdf") || name.ends_with(".png"); }

/// Folder for the converter's files: gone with all in it when its user is done.
class ScratchFolder {
 public:
  ScratchFolder() : path_(scratch_folder()) {}
  ~ScratchFolder() {
    std::error_code unknown;
    fs::remove_all(path_, unknown);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::string file(std::string_view name) const { return (fs::path(path_) / name).string(); }

 private:
  std::string path_;
};

// Returns the file that rsvg-convert makes of the drawings. PNG has two pixels a pixel of the drawing.
std::string converted(std::span<const std::string> pages, std::string_view format) {
  const ScratchFolder folder;
  const std::string result = folder.file("result");
  std::vector<std::string> words{converter, "--format", std::string(format), "--output", result};
  if (format == "png") words.insert(words.end(), {"--zoom", "2"});
  for (std::size_t k = 0; k < pages.size(); ++k) {
    const std::string page = folder.file(fmt::format("page-{}.svg", k + 1));
    write_file(page, pages[k]);
    words.push_back(page);
  }
  const std::optional<int> status = run_program(words);
  require(status.has_value(),
          "{} needs {}, which is not installed; install librsvg2-bin, or write FILE.svg or FILE.tex", format,
          converter);
  require(*status == 0, "{} made no {} (exit status {}); write FILE.svg, and look at what it says of it", converter,
          format, *status);
  std::ifstream file(result, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_one(const std::string& name, const std::string& svg) {
  if (name.ends_with(".png")) return write_file(name, converted({&svg, 1}, "png"));
  write_file(name, name.ends_with(".tex") ? draw::tikz_of(svg) : svg);
}

}  // namespace

void check_picture_file(const std::string& name, std::initializer_list<std::string_view> others) {
  std::vector<std::string_view> endings(picture_endings.begin(), picture_endings.end());
  endings.insert(endings.begin() + 1, others.begin(), others.end());
  check_output_file(name, endings);
  if (!is_converted(name)) return;
  require(run_program({converter, "--version"}).has_value(),
          "'{}' needs {}, which is not installed; install librsvg2-bin, or write {}", name, converter,
          fs::path(name).replace_extension(".svg").string());
}

std::vector<std::string> write_pages(const std::string& name, std::span<const std::string> pages) {
  if (name.ends_with(".pdf")) {
    write_file(name, converted(pages, "pdf"));
    return {name};
  }
  std::vector<std::string> names;
  const fs::path path(name);
  for (std::size_t k = 0; k < pages.size(); ++k) {
    const std::string numbered = fmt::format("{}-{}{}", path.stem().string(), k + 1, path.extension().string());
    names.push_back(pages.size() == 1 ? name : (path.parent_path() / numbered).string());
    write_one(names.back(), pages[k]);
  }
  return names;
}

void write_picture(const std::string& name, const std::string& svg) { write_pages(name, {&svg, 1}); }

}  // namespace tutti::app
