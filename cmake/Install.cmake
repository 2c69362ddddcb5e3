# Installation, and find_package(tutti) for those who use it: the target tutti::tutti.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(tutti_config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tutti)
tutti_rooms_below(tutti_runtime rooms)

install(TARGETS tutti ${rooms} EXPORT tuttiTargets)
install(EXPORT tuttiTargets NAMESPACE tutti:: DESTINATION ${tutti_config_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
if(TUTTI_BUILD_APP)
  install(TARGETS tutti_command)
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tuttiConfig.cmake.in ${PROJECT_BINARY_DIR}/tuttiConfig.cmake
                              INSTALL_DESTINATION ${tutti_config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tuttiConfig.cmake ${PROJECT_BINARY_DIR}/tuttiConfigVersion.cmake DESTINATION ${tutti_config_dir})
