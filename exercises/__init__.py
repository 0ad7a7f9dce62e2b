"""The homework, and the tools that release and grade it."""
