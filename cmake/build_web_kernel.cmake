# Build the kernel as WebAssembly into NATIVE/web/dist: `cmake -DNATIVE=... -DPYTHON=... -P build_web_kernel.cmake`.
# Does nothing when web/dist/.inputs says that the same inputs were built before (an sdist carries web/dist). Without the
# compiler (ziglang, a build requirement where there is one) it is left out: the client then does without.
cmake_minimum_required(VERSION 3.22)

# What it computes must not depend on the machine: no fused multiply-add, which `_kernel` is built without as well.
# SIMD, which every browser has since March 2023: without it the best of all threes (learn/threes.hpp), most of what a
# fourth street costs, takes twice the time. Browsers inline next to nothing themselves, so the compiler does more of it:
# a fifth faster there, a tenth on other streets, for 50 kB (bench/web.py).
set(flags
  -target wasm32-wasi -mexec-model=reactor -std=c++20 -O3 -msimd128 -mllvm -inline-threshold=1000
  -fno-exceptions -ffp-contract=off -fno-sanitize=undefined
  -Wall -Wextra -Wpedantic -Werror -s -Wl,--gc-sections)

file(GLOB sources ${NATIVE}/web/*.cpp)
file(GLOB_RECURSE inputs LIST_DIRECTORIES false ${NATIVE}/web/*.cpp ${NATIVE}/web/*.hpp ${NATIVE}/include/*.hpp)
list(SORT sources)
list(SORT inputs)
set(state "${flags}\n")
foreach(input IN LISTS inputs)
  file(SHA256 ${input} hash)
  file(RELATIVE_PATH name ${NATIVE} ${input})
  string(APPEND state "${hash} ${name}\n")
endforeach()

set(dist ${NATIVE}/web/dist)
if(EXISTS ${dist}/.inputs AND EXISTS ${dist}/kernel.wasm)
  file(READ ${dist}/.inputs built)
  if(built STREQUAL state)
    message(STATUS "web kernel: up to date")
    return()
  endif()
endif()
file(REMOVE_RECURSE ${dist})

execute_process(COMMAND ${PYTHON} -c "import ziglang" OUTPUT_QUIET ERROR_QUIET RESULT_VARIABLE missing)
if(missing)
  message(STATUS "web kernel: left out, ziglang is missing; browsers will not analyse by themselves")
  return()
endif()

file(MAKE_DIRECTORY ${dist})
execute_process(
  COMMAND ${PYTHON} -m ziglang c++ ${flags} -I${NATIVE}/include ${sources} -o ${dist}/kernel.wasm
  COMMAND_ERROR_IS_FATAL ANY)
# Squeezed once, so that the server squeezes nothing again for every visitor.
set(squeeze "
import gzip, pathlib, sys
file = pathlib.Path(sys.argv[1])
file.with_name(file.name + '.gz').write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
")
execute_process(COMMAND ${PYTHON} -c "${squeeze}" ${dist}/kernel.wasm COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${dist}/.inputs "${state}")
