"""What is written about the kernel's calls and answers is what the compiled module says."""

from scripts.kernel_types import CLIENT, STUB, client, stub
from triptych import _kernel


def test_the_stub_is_current() -> None:
    """`_kernel.pyi` is the stub of the extension; `python -m scripts.kernel_types` writes it."""
    assert STUB.read_text() == stub()


def test_the_readers_of_the_client_are_current() -> None:
    """Python's named tuples and the browser's bytes have one description."""
    assert CLIENT.read_text() == client()


def test_results_are_named_tuples() -> None:
    """Every part of a result has a name of its own."""
    for name, parts in _kernel.RESULTS:
        names = [part for part, _ in parts]
        assert len(set(names)) == len(names) > 0
        assert all(hasattr(getattr(_kernel, name), part) for part in names)
