# Installation; whoever uses it finds it by find_package(tutti), as tutti::tutti, or by pkg-config, as tutti.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(tutti_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tutti)

if(TUTTI_BUILD_APP)
  install(TARGETS tutti_command)
endif()
if(NOT TUTTI_BUILD_RUNTIME)
  return()
endif()

install(TARGETS tutti_static tutti_shared EXPORT tuttiTargets)
install(EXPORT tuttiTargets NAMESPACE tutti:: DESTINATION ${tutti_config_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

file(RELATIVE_PATH tutti_prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(${CMAKE_CURRENT_LIST_DIR}/tutti.pc.in ${PROJECT_BINARY_DIR}/tutti.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tutti.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tuttiConfig.cmake.in ${PROJECT_BINARY_DIR}/tuttiConfig.cmake
                              INSTALL_DESTINATION ${tutti_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tuttiConfig.cmake ${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake DESTINATION ${tutti_config_dir})
