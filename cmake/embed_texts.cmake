# cmake -DOUTPUT=FILE.cpp "-DTEXTS=name=path,name=path" -P embed_texts.cmake: texts as they stand, as constants of the program.
# They are declared in src/cli/texts.hpp.
set(content "#include \"texts.hpp\"\n\nnamespace liaison::cli::texts {\n\n")
string(REPLACE "," ";" pairs "${TEXTS}")
foreach(pair IN LISTS pairs)
  string(REGEX MATCH "^([a-z_]+)=(.*)$" pair "${pair}")
  file(READ "${CMAKE_MATCH_2}" text)
  set(name "${CMAKE_MATCH_1}")
  string(APPEND content "const std::string_view ${name} = R\"liaison_text(${text})liaison_text\";\n")
endforeach()
string(APPEND content "\n}  // namespace liaison::cli::texts\n")
file(WRITE "${OUTPUT}" "${content}")
