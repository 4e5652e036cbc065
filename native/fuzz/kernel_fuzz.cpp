// Entry point of libFuzzer: the first byte selects the case, the rest are its choices.
// CONTRIBUTING.md has the command.
#include "fuzz_cases/all.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace triptych;
    if (size == 0) return 0;
    fuzz_cases::FuzzInput input(data + 1, size - 1);
    fuzz_cases::all_cases[data[0] % fuzz_cases::case_count](input);
    return 0;
}
