// The kernel compared with plain loops: `checks NAME` reads the lines that native/tests/NAME.hpp explains. One program,
// as reading the headers takes longer than compiling any of them.
#include <iostream>
#include <string_view>

#include "every_draw.hpp"
#include "every_setting.hpp"
#include "joker_boards.hpp"
#include "last_draw.hpp"

int main(int count, char** arguments) {
    const std::string_view name = count == 2 ? arguments[1] : "";
    if (name == "every_draw") return every_draw::run();
    if (name == "every_setting") return every_setting::run();
    if (name == "joker_boards") return joker_boards::run();
    if (name == "last_draw") return last_draw::run();
    std::cerr << "checks every_draw | every_setting | joker_boards | last_draw\n";
    return 2;
}
