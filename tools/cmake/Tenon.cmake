# Tenon.cmake - the few functions every CMakeLists.txt of the project uses.
#
#   tenon_library(NAME SOURCES... [LINK libs...] [DEPENDS targets...] [NO_PCH] [EXCEPTIONS])
#       A static library of C++ code over LLVM/MLIR headers. EXCEPTIONS is for
#       the units that include onnx or protobuf headers (they also lose the PCH).
#   tenon_dialect(NAME [EXTRA_TD files...])
#       TableGen for dialects/<NAME>: <NAME>.td -> <NAME>{Dialect,Ops,Types,
#       Attrs,Enums,Interfaces}.{h,cpp}.inc; target tenon_<name>_tablegen.
#   tenon_passes(STAGE)
#       TableGen for passes/<STAGE>/Passes.td; target tenon_<stage>_passes.
#   tenon_tool(NAME SOURCES... LINK libs...)
#       A program in <build>/bin.
#   tenon_shared_library(TARGET NAME MAP)
#       Makes a shared library lib<NAME>.so.<soversion> in <build>/lib that
#       exports what the version script says.
#   tenon_unittest(NAME SOURCES... LINK libs...)
#       A GoogleTest program in <build>/unit, registered with CTest.

set(TENON_CXX_FLAGS -fno-exceptions -fno-rtti -Wall -Wextra -Wno-unused-parameter)

# TableGen headers of all dialects must exist before any C++ is compiled.
add_custom_target(tenon-headers)

function(tenon_compile_options target)
  cmake_parse_arguments(ARG "NO_PCH;EXCEPTIONS" "" "" ${ARGN})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}
    ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS}
    ${MLIR_INCLUDE_DIRS})
  if(ARG_EXCEPTIONS)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter
      -fexceptions -frtti)
  else()
    target_compile_options(${target} PRIVATE ${TENON_CXX_FLAGS})
    if(NOT ARG_NO_PCH AND TENON_PCH AND NOT target STREQUAL tenon_pch)
      target_precompile_headers(${target} REUSE_FROM tenon_pch)
    endif()
  endif()
  add_dependencies(${target} tenon-headers)
endfunction()

# Shared libraries that a library needs, and the ones that hold all code (their
# property TENON_CLOSED) have inside instead: see lib/CAPI/Closed.
set(TENON_OPEN_LIBRARIES MLIR LLVM lldELF ONNX::onnx ONNX::onnx_proto)

# tenon_link(TARGET KIND libs...): what is dropped where the linking one is closed.
function(tenon_link target kind)
  foreach(library IN LISTS ARGN)
    set(closed "$<BOOL:$<TARGET_PROPERTY:TENON_CLOSED>>")
    if(library IN_LIST TENON_OPEN_LIBRARIES OR library STREQUAL TENON_ISL)
      set(library "$<$<NOT:${closed}>:${library}>")
    elseif(library STREQUAL tenon_runtime)
      set(library "$<IF:${closed},tenon_runtime_shared,tenon_runtime>")
    endif()
    target_link_libraries(${target} ${kind} "${library}")
  endforeach()
endfunction()

function(tenon_library name)
  cmake_parse_arguments(ARG "NO_PCH;EXCEPTIONS" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set(flags)
  if(ARG_NO_PCH)
    list(APPEND flags NO_PCH)
  endif()
  if(ARG_EXCEPTIONS)
    list(APPEND flags EXCEPTIONS)
  endif()
  tenon_compile_options(${name} ${flags})
  tenon_link(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# One TableGen run: tenon_tablegen(<td> <out.inc> <mlir-tblgen args...>)
macro(tenon_tablegen td out)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${out} ${ARGN} -I${PROJECT_SOURCE_DIR}
    -I${MLIR_INCLUDE_DIRS})
endmacro()

function(tenon_dialect name)
  string(TOLOWER ${name} dialect)
  set(td ${name}.td)
  tenon_tablegen(${td} ${name}Dialect.h.inc -gen-dialect-decls -dialect=${dialect})
  tenon_tablegen(${td} ${name}Dialect.cpp.inc -gen-dialect-defs -dialect=${dialect})
  tenon_tablegen(${td} ${name}Ops.h.inc -gen-op-decls)
  tenon_tablegen(${td} ${name}Ops.cpp.inc -gen-op-defs)
  tenon_tablegen(${td} ${name}Types.h.inc -gen-typedef-decls -typedefs-dialect=${dialect})
  tenon_tablegen(${td} ${name}Types.cpp.inc -gen-typedef-defs -typedefs-dialect=${dialect})
  tenon_tablegen(${td} ${name}Attrs.h.inc -gen-attrdef-decls -attrdefs-dialect=${dialect})
  tenon_tablegen(${td} ${name}Attrs.cpp.inc -gen-attrdef-defs -attrdefs-dialect=${dialect})
  tenon_tablegen(${td} ${name}Enums.h.inc -gen-enum-decls)
  tenon_tablegen(${td} ${name}Enums.cpp.inc -gen-enum-defs)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}Interfaces.td)
    tenon_tablegen(${name}Interfaces.td ${name}Interfaces.h.inc -gen-op-interface-decls)
    tenon_tablegen(${name}Interfaces.td ${name}Interfaces.cpp.inc -gen-op-interface-defs)
  endif()
  add_public_tablegen_target(tenon_${dialect}_tablegen)
  add_dependencies(tenon-headers tenon_${dialect}_tablegen)
endfunction()

function(tenon_passes stage)
  string(TOLOWER ${stage} lower)
  tenon_tablegen(Passes.td Passes.h.inc -gen-pass-decls -name ${stage})
  add_public_tablegen_target(tenon_${lower}_passes)
  add_dependencies(tenon-headers tenon_${lower}_passes)
endfunction()

function(tenon_tool name)
  cmake_parse_arguments(ARG "NO_PCH" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_NO_PCH)
    tenon_compile_options(${name} NO_PCH)
  else()
    tenon_compile_options(${name})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/bin)
endfunction()

function(tenon_shared_library target name map)
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib
    LINK_DEPENDS ${map})
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  # Sanitizers leave symbols to the program.
  if(NOT TENON_SANITIZE)
    target_link_options(${target} PRIVATE -Wl,-z,defs)
  endif()
endfunction()

function(tenon_unittest name)
  cmake_parse_arguments(ARG "NO_PCH;EXCEPTIONS" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set(flags)
  if(ARG_NO_PCH)
    list(APPEND flags NO_PCH)
  endif()
  if(ARG_EXCEPTIONS)
    list(APPEND flags EXCEPTIONS)
  endif()
  tenon_compile_options(${name} ${flags})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
    ${PROJECT_BINARY_DIR}/unit)
  add_test(NAME ${name} COMMAND ${name})
  set_property(GLOBAL APPEND PROPERTY TENON_UNIT_TESTS ${name})
endfunction()
