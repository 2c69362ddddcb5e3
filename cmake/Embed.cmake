# tutti_embed(TARGET FOLDER LIST): every .html, .css, .js, .rules, .exercises, .glossary and .txt file of the folder becomes a text in the target.
# LIST, such as tutti::draw::page_files, is a `const std::span<const EmbeddedFile>` of them by name (src/base/text/embedded.hpp); whoever reads it
# declares it.
function(tutti_embed target folder list)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.html ${folder}/*.css ${folder}/*.js ${folder}/*.rules
       ${folder}/*.exercises ${folder}/*.glossary ${folder}/*.txt)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  list(JOIN files "|" joined)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D LIST=${list} -D "FILES=${joined}" -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
