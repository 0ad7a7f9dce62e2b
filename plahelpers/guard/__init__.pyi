from .caller import (
    ENVIRONMENT as ENVIRONMENT,
    Kind as Kind,
    Other as Other,
    Outcome as Outcome,
    OutputBuffer as OutputBuffer,
    RemoteFunction as RemoteFunction,
    Subprocess as Subprocess,
    TimeSpent as TimeSpent,
    UntrustedProcess as UntrustedProcess,
    Worker as Worker,
    run_guarded as run_guarded,
    run_within_budget as run_within_budget,
)
from .worker import CLOCK_PER_CPU_SECOND as CLOCK_PER_CPU_SECOND
