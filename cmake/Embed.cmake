# tutti_embed(TARGET FOLDER NAMESPACE): every .html, .css and .js file of the folder becomes a `const std::string_view` of that namespace in the
# target, named as the file with "_" for other characters: page.html is page_html. A header of the target declares them.
function(tutti_embed target folder namespace)
  set(folder ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.html ${folder}/*.css ${folder}/*.js)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
  set(script ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake)
  list(JOIN files "|" joined)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -D NAMESPACE=${namespace} -D "FILES=${joined}" -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
