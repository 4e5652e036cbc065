"""Stub of the compiled kernel; native/bind/ holds the bindings."""

def version() -> str:
    """Version of the package that this kernel was built for."""
