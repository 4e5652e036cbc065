// The extension module `triptych._kernel`. Each file of this folder adds its part by one init_x.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void init_analysis(nb::module_& m);
void init_choosing(nb::module_& m);
void init_closed(nb::module_& m);
void init_env(nb::module_& m);
void init_goal(nb::module_& m);
void init_learn(nb::module_& m);
void init_rank(nb::module_& m);
void init_score(nb::module_& m);
void init_solve(nb::module_& m);

NB_MODULE(_kernel, m) {
    // Compiled rules live in caches until the interpreter ends; that is no leak to tell a user about.
    nb::set_leak_warnings(false);
    m.def("version", [] { return TRIPTYCH_VERSION; }, "Version of the package that this kernel was built for.");
    init_analysis(m);
    init_choosing(m);
    init_closed(m);
    init_env(m);
    init_goal(m);
    init_learn(m);
    init_rank(m);
    init_score(m);
    init_solve(m);
}
