"""What the package offers; each name is loaded when it is first used."""

from triptych.rulesets.describe.sections import sections as sections
from triptych.rulesets.model import Ruleset as Ruleset
