# Installs the build into an empty prefix, builds the program against it and nothing else, and runs program and command.

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(status)
    message(FATAL_ERROR "${ARGN} ended with ${status}:\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(expect text)
  if(NOT out MATCHES "${text}")
    message(FATAL_ERROR "'${text}' is not in:\n${out}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
if(EXISTS ${WORK}/prefix/include/schedule)
  message(FATAL_ERROR "headers that are not public were installed")
endif()
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/program -B ${WORK}/build -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/uses_tutti)
expect("3 ranks agree")
run(${WORK}/prefix/bin/tutti explain broadcast)
expect("binomial")
