"""Run a function that is not ours in a process of its own, with limits on time, memory, output and processes."""

import lazy_loader

# The process that calls the function imports this package too, and must start quickly.
__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
