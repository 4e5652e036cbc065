"""The kernel of the browsers is among the client's files, and small; issue 14, part 1 and Shown by 1."""

import os

import pytest

from triptych.server.static.client_files import load_client_files

LARGEST = 400_000  # bytes of the squeezed module


def test_it_is_served_compressed_for_streaming_compilation() -> None:
    file = load_client_files().file("/kernel.wasm")
    if file is None and os.environ.get("TRIPTYCH_SKIP_WEB"):
        pytest.skip("this package was built without the client")
    assert file is not None
    assert file.kind == "application/wasm"
    encoding, content = file.encoded("gzip, br")
    assert encoding == "gzip"
    assert len(content) <= LARGEST
