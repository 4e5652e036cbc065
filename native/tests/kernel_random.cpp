// Random calls of every part of the kernel, for the sanitizers (fuzz_cases/all.hpp).
//
// g++ -std=c++20 -O1 -g -fsanitize=address,undefined -I native/include -I native/tests native/tests/kernel_random.cpp native/src/*.cpp
// ./a.out 2000      so many of each case
#include <cstdio>
#include <cstdlib>

#include "fuzz_cases/all.hpp"

using namespace triptych;

int main(int count, char** arguments) {
    const long rounds = count > 1 ? std::atol(arguments[1]) : 500;
    for (long round = 0; round < rounds; ++round) {
        for (std::size_t fuzz_case = 0; fuzz_case < fuzz_cases::case_count; ++fuzz_case) {
            Random random(static_cast<std::uint64_t>(round), fuzz_case);
            const std::uint64_t words[2] = {random.next(), random.next()};
            fuzz_cases::FuzzInput input(reinterpret_cast<const std::uint8_t*>(words), sizeof words);
            fuzz_cases::all_cases[fuzz_case](input);
        }
    }
    std::puts("kernel_random: ok");
}
