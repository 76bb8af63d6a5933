# TenonAddModel.cmake - models as libraries of a build.
#
#   tenon_add_model(NAME MODEL net.onnx [DIMS batch=1...] [SHAPES x=1x3...]
#                   [CPU x86-64-v3] [OPTIONS words of tenon-compile...])
#
# compiles a model when it or its options change, and adds a library NAME with
# its code and weights, and the header NAME.h, which declares NAME_model for
# tenon_model_load_static. A NAME is letters, digits and underscores.
function(tenon_add_model name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "MODEL;CPU" "DIMS;SHAPES;OPTIONS")
  if(NOT ARG_MODEL OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tenon_add_model(${name}): no MODEL, or unknown "
      "arguments: ${ARG_UNPARSED_ARGUMENTS}")
  elseif(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "tenon_add_model(${name}): the name is no identifier")
  endif()
  get_filename_component(model ${ARG_MODEL} ABSOLUTE
    BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  set(options)
  foreach(dim IN LISTS ARG_DIMS)
    list(APPEND options --dim=${dim})
  endforeach()
  foreach(shape IN LISTS ARG_SHAPES)
    list(APPEND options --shape=${shape})
  endforeach()
  if(ARG_CPU)
    list(APPEND options --mcpu=${ARG_CPU})
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}.tenon)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${folder}/${name}.o ${folder}/${name}.h
    COMMAND Tenon::tenon-compile ${model} --quiet --emit=object
      -o ${folder}/${name}.o ${options} ${ARG_OPTIONS}
    DEPENDS ${model} Tenon::tenon-compile
    COMMENT "Compiling the model ${ARG_MODEL}" VERBATIM)
  add_library(${name} STATIC ${folder}/${name}.o ${folder}/${name}.h)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(${name} INTERFACE ${folder})
  target_link_libraries(${name} PUBLIC Tenon::runtime_static)
endfunction()
