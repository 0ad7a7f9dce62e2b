from .caller import (
    ENVIRONMENT as ENVIRONMENT,
    GOES_ON as GOES_ON,
    Other as Other,
    Outcome as Outcome,
    Said as Said,
    Worker as Worker,
    run_guarded as run_guarded,
    run_in_turn as run_in_turn,
)
from .worker import PATIENCE as PATIENCE
