"""The stub of the kernel names what the compiled module has, no more and no less, and what arguments are called."""

import ast
import inspect
import re
from pathlib import Path
from types import ModuleType

import triptych._kernel as kernel
from triptych import cards

STUB = ast.parse(Path(cards.__file__).with_name("_kernel.pyi").read_text())


def _in_stub(body: list[ast.stmt], prefix: str = "") -> dict[str, tuple[str, ...] | None]:
    """Name -> arguments that may be given by name, None for what is no function."""
    names: dict[str, tuple[str, ...] | None] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            names[prefix + node.name] = tuple(each.arg for each in (*node.args.args, *node.args.kwonlyargs))
        elif isinstance(node, ast.ClassDef):
            names[prefix + node.name] = None
            names |= _in_stub(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            names[prefix + node.target.id] = None  # with an underscore it is a type alias of the stub's own
    return names


def _in_module(place: ModuleType | type, prefix: str = "") -> dict[str, tuple[str, ...] | None]:
    names: dict[str, tuple[str, ...] | None] = {}
    for name, value in vars(place).items():
        if name.startswith("_") and not (name == "__init__" and hasattr(value, "__nb_signature__")):
            continue
        if inspect.isclass(value):
            names[prefix + name] = None
            names |= _in_module(value, f"{prefix}{name}.")
        elif signatures := (getattr(value, "__nb_signature__", None) or ()):
            # nanobind's text of the first overload: "def name(arg: int, /, second: list[int] = ...) -> bool"
            text = signatures[0][0].partition("(")[2]
            while text != (flat := re.sub(r"\[[^\[\]]*\]", "", text)):
                text = flat
            named = text.rpartition(")")[0].rpartition("/")[2]
            names[prefix + name] = tuple(re.findall(r"(?:^|, )(\w+)(?=:|,|$)", named))
        else:
            names[prefix + name] = None
    return names


def test_the_stub_is_the_module() -> None:
    """DESIGN 1: `_kernel.pyi` is the stub of the extension."""
    assert _in_stub(STUB.body) == _in_module(kernel)
