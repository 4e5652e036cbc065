"""What the package offers; each name is loaded when it is first used."""

from triptych.client.bot_loop import play as play
from triptych.client.client import Client as Client
from triptych.client.errors import ClientError as ClientError
from triptych.client.table import Table as Table
from triptych.table.commands import Say as Say
