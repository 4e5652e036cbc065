"""What the package offers; each name is loaded when it is first used."""

from triptych.envs.actions import (
    ACTIONS as ACTIONS,
    CARD_LOCATIONS as CARD_LOCATIONS,
    OBSERVATION_SIZE as OBSERVATION_SIZE,
    SCALAR_FEATURES as SCALAR_FEATURES,
    legal_actions as legal_actions,
)
from triptych.envs.batch import BatchEnv as BatchEnv, Step as Step
from triptych.envs.gymnasium_env import TriptychEnv as TriptychEnv, random_opponent as random_opponent
from triptych.envs.pettingzoo_env import TriptychAEC as TriptychAEC
from triptych.envs.policy import PolicyBot as PolicyBot, legal_actions_for as legal_actions_for, observe as observe
from triptych.envs.observations import (
    FEATURE_COUNT as FEATURE_COUNT,
    features as features,
    observation_text as observation_text,
)
from triptych.envs.vector_env import TriptychVectorEnv as TriptychVectorEnv, random_opponents as random_opponents
