// A numpy array's memory, made here and freed by its last user.
#pragma once

#include <cstddef>

#include <nanobind/nanobind.h>

namespace triptych::bind {

template <typename T>
struct Column {
    T* data;
    nanobind::capsule owner;

    explicit Column(std::size_t size)
        : data(new T[size]()), owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); }) {}
};

}  // namespace triptych::bind
