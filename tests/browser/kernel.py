"""The server's own pages may compile the kernel and get the server's numbers; issue 14, part 1."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING

from triptych import _kernel
from triptych.rulesets.compile import compile_rules, to_kernel_ints
from triptych.rulesets.load import resolve
from triptych.server.static.client_files import load_client_files

if TYPE_CHECKING:
    from playwright.sync_api import Page

BOARD = bytes((50, 49, 3, 40, 41, 20, 21, 8, 0, 4, 12, 16, 44))
ASKED = """async ([rules, board]) => {
  const module = await WebAssembly.compileStreaming(fetch('/kernel.wasm'));
  const { exports: kernel } = new WebAssembly.Instance(module, {});
  kernel._initialize();
  const ask = (name, bytes) => {
    const place = kernel.allocate(bytes.length);
    new Uint8Array(kernel.memory.buffer).set(bytes, place);
    const status = kernel[name](place, bytes.length);
    kernel.release(place);
    if (status !== 0) throw new Error(`${name}: ${status}`);
    return [...new Uint8Array(kernel.memory.buffer, kernel.answer(), kernel.answer_size())];
  };
  return ask('score_board', [...ask('keep_rules', rules), ...board]);
}"""


def runs_the_kernel(page: Page) -> None:
    """It is compiled as it comes (application/wasm), under the server's own content security policy."""
    if load_client_files().file("/kernel.wasm") is None and "TRIPTYCH_SKIP_WEB" in os.environ:
        return  # built without it
    rules = resolve("pineapple")
    numbers = to_kernel_ints(rules)
    answer = page.evaluate(ASKED, [list(struct.pack(f"<{len(numbers)}i", *numbers)), list(BOARD)])
    rows = _kernel.row_values(compile_rules(rules), BOARD)
    assert struct.unpack_from("<3I", bytes(answer)) == rows
    assert struct.unpack_from("<3i", bytes(answer), 16) == _kernel.row_royalties(compile_rules(rules), *rows)
