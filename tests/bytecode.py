"""Bytecode is kept: imported before all else that is compiled.

Some containers forbid it to write bytecode: then each of the hundreds of servers that are started here, and each
worker, would compile everything again; pytest rewrites the whole of hypothesis too.
"""

from __future__ import annotations

import os
import sys

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
