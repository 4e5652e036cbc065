// Random questions to every part of the kernel, for the sanitizers (questions/all.hpp).
//
// g++ -std=c++20 -O1 -g -fsanitize=address,undefined -I native/include -I native/tests native/tests/kernel_random.cpp native/src/*.cpp
// ./a.out 2000      so many of each question
#include <cstdio>
#include <cstdlib>

#include "questions/all.hpp"

using namespace triptych;

int main(int count, char** arguments) {
    const long rounds = count > 1 ? std::atol(arguments[1]) : 500;
    for (long round = 0; round < rounds; ++round) {
        for (std::size_t question = 0; question < questions::question_count; ++question) {
            Random random(static_cast<std::uint64_t>(round), question);
            const std::uint64_t words[2] = {random.next(), random.next()};
            questions::Chance chance(reinterpret_cast<const std::uint8_t*>(words), sizeof words);
            questions::every_question[question](chance);
        }
    }
    std::puts("kernel_random: ok");
}
