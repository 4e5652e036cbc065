# Put the kernel for browsers into NATIVE/web/dist: `cmake -DNATIVE=... -DPYTHON=... -P build_web_kernel.cmake`.
# The module is the same on every platform and takes a minute to compile, so NATIVE/web/kernel.wasm.gz is in the
# repository, beside the hash of what it was made from (kernel.inputs). Where the sources have changed it is compiled
# again with ziglang (in the group `dev`) and both files are written; they are committed with the change.
cmake_minimum_required(VERSION 3.22)

# What it computes must not depend on the machine: no fused multiply-add, which `_kernel` is built without as well.
# SIMD, which every browser has since March 2023: without it the best pair in all triples (learn/best_pair_in_triples.hpp), most of what a
# fourth street costs, takes twice the time. Browsers inline next to nothing themselves, so the compiler does more of it:
# a fifth faster there, a tenth on other streets, for 50 kB (bench/web.py).
set(flags
  -target wasm32-wasi -mexec-model=reactor -std=c++20 -O3 -msimd128 -mllvm -inline-threshold=1000
  -fno-exceptions -ffp-contract=off -fno-sanitize=undefined
  -Wall -Wextra -Wpedantic -Werror -s -Wl,--gc-sections)

file(GLOB sources ${NATIVE}/web/*.cpp ${NATIVE}/src/*.cpp)
file(GLOB_RECURSE inputs LIST_DIRECTORIES false ${NATIVE}/web/*.cpp ${NATIVE}/web/*.hpp ${NATIVE}/src/*.cpp ${NATIVE}/include/*.hpp)
list(SORT sources)
list(SORT inputs)
set(state "${flags}\n")
foreach(input IN LISTS inputs)
  # Without carriage returns, which a checkout on Windows may have.
  file(STRINGS ${input} lines NO_HEX_CONVERSION)
  string(SHA256 hash "${lines}")
  file(RELATIVE_PATH name ${NATIVE} ${input})
  string(APPEND state "${hash} ${name}\n")
endforeach()
string(SHA256 state "${state}")

set(packed ${NATIVE}/web/kernel.wasm.gz)
set(stamp ${NATIVE}/web/kernel.inputs)
set(dist ${NATIVE}/web/dist)
set(made "")
if(EXISTS ${packed} AND EXISTS ${stamp})
  file(STRINGS ${stamp} made)
endif()
if(NOT made STREQUAL state)
  execute_process(COMMAND ${PYTHON} -c "import ziglang" OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE missing)
  if(missing)
    file(REMOVE_RECURSE ${dist})
    message(WARNING "native/ has changed and ziglang is missing: browsers will not analyse by themselves. `uv sync --group dev` installs it.")
    return()
  endif()
  execute_process(
    COMMAND ${PYTHON} -m ziglang c++ ${flags} -I${NATIVE}/include ${sources} -o ${NATIVE}/web/kernel.wasm
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND ${PYTHON} -c "import gzip, pathlib, sys; file = pathlib.Path(sys.argv[1]); pathlib.Path(sys.argv[2]).write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0)); file.unlink()"
      ${NATIVE}/web/kernel.wasm ${packed}
    COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${stamp} "${state}\n")
endif()

# Both forms are served, so that the server compresses nothing again for every visitor.
file(MAKE_DIRECTORY ${dist})
file(COPY ${packed} DESTINATION ${dist})
execute_process(
  COMMAND ${PYTHON} -c "import gzip, pathlib, sys; pathlib.Path(sys.argv[2]).write_bytes(gzip.decompress(pathlib.Path(sys.argv[1]).read_bytes()))"
    ${packed} ${dist}/kernel.wasm
  COMMAND_ERROR_IS_FATAL ANY)
