// libFuzzer's way into every part of the kernel: the first byte names the question, the rest are its choices.
// CONTRIBUTING.md has the command.
#include "questions/all.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace triptych;
    if (size == 0) return 0;
    questions::Chance chance(data + 1, size - 1);
    questions::every_question[data[0] % questions::question_count](chance);
    return 0;
}
