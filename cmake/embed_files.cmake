# Writes OUTPUT, which defines LIST, the FILES (joined by "|") with their names and texts, in the order of their names. See tutti_embed.
string(REGEX MATCH "^(.*)::([^:]*)$" parts ${LIST})
set(namespace ${CMAKE_MATCH_1})
set(variable ${CMAKE_MATCH_2})
string(REPLACE "|" ";" files "${FILES}")
set(entries)
foreach(file ${files})
  get_filename_component(name ${file} NAME)
  file(READ ${file} content)
  string(APPEND entries "    EmbeddedFile{\"${name}\", R\"embedded(${content})embedded\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include <array>

#include \"base/text/embedded.hpp\"

namespace ${namespace} {
static constexpr std::array embedded_files{
${entries}};
extern constinit const std::span<const EmbeddedFile> ${variable};
constinit const std::span<const EmbeddedFile> ${variable} = embedded_files;
}  // namespace ${namespace}
")
