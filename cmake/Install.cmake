# Installation; whoever uses it finds it by find_package(tutti), as tutti::tutti, or by pkg-config, as tutti.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(tutti_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tutti)

if(TUTTI_BUILD_APP)
  install(TARGETS tutti_command)
  # A build for another machine may have no pages.
  install(DIRECTORY ${PROJECT_BINARY_DIR}/share/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 OPTIONAL)
  install(FILES ${PROJECT_BINARY_DIR}/share/bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tutti OPTIONAL)
  install(FILES ${PROJECT_BINARY_DIR}/share/zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _tutti OPTIONAL)
  install(FILES ${PROJECT_BINARY_DIR}/share/fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d RENAME tutti.fish OPTIONAL)
endif()
# Documents link to one another from where they lie.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN text EXCLUDE)
if(NOT TARGET tutti_static)
  return()
endif()

install(TARGETS tutti_static tutti_shared EXPORT tuttiTargets)
install(EXPORT tuttiTargets NAMESPACE tutti:: DESTINATION ${tutti_config_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# Modules of Fortran are a compiler's own, so that programs compile this one beside theirs.
install(FILES ${PROJECT_SOURCE_DIR}/bindings/fortran/tutti.f90 DESTINATION ${CMAKE_INSTALL_DATADIR}/tutti/fortran)

file(RELATIVE_PATH tutti_prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# Programs find the library where it lies; systems find what lies below /usr by themselves.
set(tutti_run_path "-Wl,-rpath,\${libdir} ")
if(CMAKE_INSTALL_PREFIX STREQUAL /usr)
  set(tutti_run_path "")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/tutti.pc.in ${PROJECT_BINARY_DIR}/tutti.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tutti.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tuttiConfig.cmake.in ${PROJECT_BINARY_DIR}/tuttiConfig.cmake
                              INSTALL_DESTINATION ${tutti_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tuttiConfig.cmake ${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake DESTINATION ${tutti_config_dir})
