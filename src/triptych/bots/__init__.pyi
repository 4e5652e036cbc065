"""What the package offers; each name is loaded when it is first used."""

from triptych.bots.levels import Bot as Bot, BotLevel as BotLevel, LevelError as LevelError, get_level as get_level
