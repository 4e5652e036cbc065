"""A client for programs: takes seats at tables, plays, and survives lost connections.

>>> from triptych.client import Client, play
>>> async with Client("http://127.0.0.1:8313", name="Robo") as client:  # doctest: +SKIP
...     table = await client.table("k3fq9xwm")
...     await table.sit()
...     await play(table, bot)

The messages are described in docs/reference/protocol.md; docs/examples/room_bot.py is a complete bot.
"""

from triptych.lazy import lazy_names

__getattr__, __dir__ = lazy_names(__name__, __file__)
