"""A client for programs: sits down at tables, plays, and loses nothing when the connection breaks.

>>> from triptych.client import Client, play
>>> async with Client("http://127.0.0.1:8313", name="Robo") as room:  # doctest: +SKIP
...     table = await room.table("k3fq9xwm")
...     await table.sit()
...     await play(table, bot)

The messages are those of docs/reference/protocol.md; docs/examples/room_bot.py is a whole bot.
"""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
