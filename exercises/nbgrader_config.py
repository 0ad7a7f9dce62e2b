"""nbgrader's settings for this course: what is handed out, and what stands in a blank copy where the solution was."""

c = get_config()  # noqa: F821

c.CourseDirectory.course_id = "learning-to-answer-yes-no"
# What stands beside a notebook in source/ and is never handed out: the answers and the tests of the assignment.
c.CourseDirectory.ignore = [".ipynb_checkpoints", "__pycache__", "*.pyc", "solution.py", "test_*.py"]

# A function whose body is only its docstring can be run, and its check then says kindly that it returns nothing yet.
c.ClearSolutions.code_stub = {"python": "# Your turn."}
c.ClearSolutions.text_stub = "*Your answer here.*"
