// Results of the kernel as Python's named tuples: each part by its name, made in one go.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "triptych/result.hpp"

namespace triptych::bind {

namespace nb = nanobind;
using namespace nb::literals;

// The named tuple of a result, made once a process.
template <Result Type>
PyTypeObject* type_of() {
    static PyTypeObject* const type = [] {
        nb::list names;
        each_part(Type{}, [&](const char* name, const auto&) { names.append(name); });
        const nb::object make = nb::module_::import_("collections").attr("namedtuple");
        return reinterpret_cast<PyTypeObject*>(make(Type::name, names, "module"_a = "triptych._kernel").release().ptr());
    }();
    return type;
}

// A new reference; null where there is no memory.
template <typename Value>
PyObject* to_python(const Value& value) {
    if constexpr (std::is_same_v<Value, bool>) {
        return PyBool_FromLong(value);
    } else if constexpr (std::is_floating_point_v<Value>) {
        return PyFloat_FromDouble(static_cast<double>(value));
    } else if constexpr (std::is_integral_v<Value>) {
        return std::is_signed_v<Value> ? PyLong_FromLongLong(static_cast<long long>(value)) : PyLong_FromUnsignedLongLong(value);
    } else if constexpr (std::is_same_v<Value, CardList>) {
        return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(value.card.data()), value.size);
    } else if constexpr (Result<Value>) {
        static const Py_ssize_t parts = [] {
            Py_ssize_t count = 0;
            each_part(Value{}, [&](const char*, const auto&) { ++count; });
            return count;
        }();
        PyObject* made = PyType_GenericAlloc(type_of<Value>(), parts);  // as tuple.__new__ does, without another tuple
        Py_ssize_t next = 0;
        if (made != nullptr) each_part(value, [&](const char*, const auto& part) { PyTuple_SetItem(made, next++, to_python(part)); });
        return made;
    } else {
        PyObject* made = PyTuple_New(static_cast<Py_ssize_t>(value.size()));
        Py_ssize_t next = 0;
        if (made != nullptr) {
            for (const auto& item : value) PyTuple_SetItem(made, next++, to_python(item));
        }
        return made;
    }
}

// The type of a part, as scripts/kernel_types.py reads it: "u32", "cards", "f64*3" (so many), "HandScore[]" (any number).
template <typename Value>
std::string type_text(const Value& value = {}) {
    if constexpr (std::is_same_v<Value, bool>) {
        return "bool";
    } else if constexpr (std::is_arithmetic_v<Value>) {
        return (std::is_floating_point_v<Value> ? "f" : std::is_signed_v<Value> ? "i" : "u") + std::to_string(8 * sizeof value);
    } else if constexpr (std::is_same_v<Value, CardList>) {
        return "cards";
    } else if constexpr (Result<Value>) {
        return Value::name;
    } else if constexpr (List<Value>) {
        return type_text<typename Value::value_type>() + "[]";
    } else {
        return type_text<typename Value::value_type>() + "*" + std::to_string(value.size());
    }
}

// Adds a result's type to the module, and its parts to the list of all.
template <Result Type>
void add_result(nb::module_& m, nb::list& all) {
    m.attr(Type::name) = nb::borrow(reinterpret_cast<PyObject*>(type_of<Type>()));
    nb::list parts;
    each_part(Type{}, [&](const char* name, const auto& value) { parts.append(nb::make_tuple(name, type_text<std::decay_t<decltype(value)>>().c_str())); });
    all.append(nb::make_tuple(Type::name, nb::tuple(parts)));
}

}  // namespace triptych::bind

namespace nanobind::detail {

template <triptych::Result Type>
struct type_caster<Type, int> {
    NB_TYPE_CASTER(Type, const_name("triptych._kernel.") + const_name(Type::name))
    static handle from_cpp(const Type& value, rv_policy, cleanup_list*) noexcept { return triptych::bind::to_python(value); }
};

}  // namespace nanobind::detail
