# Closed.cmake - the compiler library that has everything inside.
#
# MLIR, LLVM, lld, onnx, protobuf and isl are linked as archives and stay
# hidden, so that the library can share a process with another LLVM or protobuf
# (docs/decisions/0032-packages.md). protobuf and isl come from `tools/setup
# release`; without them there is no compiler library and nothing to install but
# the run time.
set(TENON_RELEASE_DIR ${TENON_ONNX_DIR}/../release CACHE PATH
  "What `tools/setup release` made")
# A build notices when it comes.
file(GLOB release CONFIGURE_DEPENDS ${TENON_RELEASE_DIR}/lib/*.a)
if(release AND NOT TENON_SANITIZE)
  set(TENON_CLOSED ON)
else()
  set(TENON_CLOSED OFF)
endif()

function(tenon_archives out)
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "Test|CAPI|ExecutionEngine|JitRunner|Fuzz")
  list(APPEND archives ${LLVM_LIBRARY_DIR}/liblldELF.a
    ${LLVM_LIBRARY_DIR}/liblldCommon.a $<TARGET_FILE:ONNX::onnx>
    $<TARGET_FILE:ONNX::onnx_proto> ${TENON_RELEASE_DIR}/lib/libprotobuf.a
    ${TENON_RELEASE_DIR}/lib/libisl.a)
  set(${out} ${archives} PARENT_SCOPE)
endfunction()

# The licences of what is inside, gathered in a folder.
set(TENON_LICENCES ${PROJECT_BINARY_DIR}/licences)
if(TENON_CLOSED)
  file(COPY ${TENON_RELEASE_DIR}/licences/ DESTINATION ${TENON_LICENCES})
  file(COPY_FILE ${PROJECT_SOURCE_DIR}/LICENSE ${TENON_LICENCES}/tenon)
  file(COPY_FILE ${TENON_ONNX_DIR}-src/LICENSE ${TENON_LICENCES}/onnx)
  foreach(package libmlir-22-dev zlib1g-dev libzstd-dev libstdc++-12-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      file(COPY_FILE /usr/share/doc/${package}/copyright
        ${TENON_LICENCES}/${package})
    endif()
  endforeach()
endif()

# The program NAME over the compiler library, in <build>/closed.
function(tenon_closed_tool name)
  if(NOT TENON_CLOSED)
    return()
  endif()
  add_executable(${name}-closed ${ARGN})
  target_include_directories(${name}-closed PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name}-closed PRIVATE tenon_compiler_shared)
  target_link_options(${name}-closed PRIVATE -static-libstdc++)
  set_target_properties(${name}-closed PROPERTIES OUTPUT_NAME ${name}
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/closed)
endfunction()
