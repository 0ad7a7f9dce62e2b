"""Grade homework: what students wrote runs in a sandbox, what judges it does not. README.md names the modules."""
