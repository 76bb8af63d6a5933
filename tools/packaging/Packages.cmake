# Packages.cmake - `cpack -G DEB` makes libtenon-runtime0, libtenon-dev and
# tenon; `cpack -G TGZ` one archive of all, which runs where it is unpacked.
set(CPACK_PACKAGE_NAME tenon)
set(CPACK_PACKAGE_VENDOR "The Tenon authors")
set(CPACK_PACKAGE_CONTACT "The Tenon authors <maintainers@tenon.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler of ONNX models to native code")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime dev tools)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtenon-runtime${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "run time of compiled ONNX models
 It runs artifacts of the tenon compiler and needs libc only.")
foreach(component RUNTIME TOOLS)
  set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA
    ${CMAKE_CURRENT_SOURCE_DIR}/triggers)
endforeach()
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtenon-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libtenon-runtime${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION}), tenon (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_DEV_DESCRIPTION "headers and libraries of tenon
 For C and C++ programs that run or compile ONNX models, by pkg-config or CMake.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME tenon)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
  "libtenon-runtime${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "programs and compiler library of tenon
 tenon-compile makes artifacts, tenon-run runs them, libtenon-compiler does so
 in a process.")

# Documents that Debian's policy wants in each package.
configure_file(copyright.in copyright COPYONLY)
foreach(component runtime dev tools)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(changelog ${CMAKE_CURRENT_BINARY_DIR}/${package}/changelog)
  configure_file(changelog.in ${changelog} @ONLY)
  execute_process(COMMAND gzip -9nc ${changelog} OUTPUT_FILE ${changelog}.gz)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/copyright ${changelog}.gz
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${package}
    COMPONENT ${component})
endforeach()
install(FILES lintian-overrides RENAME tenon
  DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/lintian/overrides COMPONENT tools)

# What the compiler library has inside comes with its own.
if(TENON_CLOSED)
  install(DIRECTORY ${TENON_LICENCES}/
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/tenon/licences COMPONENT tools)
endif()
include(CPack)
