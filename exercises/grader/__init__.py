"""Grade homework: what students wrote runs in a sandbox, what judges it does not.

Modules, in the order in which a submission passes through them:

folder    finds the submissions, in one of three layouts, and gives each a safe name
notebook  reads notebooks, also broken ones, and knows what the assignment asks
student   runs in the sandbox: executes the student's statements, calls their functions
sandbox   builds that sandbox: bubblewrap where there is one, a plain process with limits elsewhere
session   talks to it: restarts it after trouble, hands out the student's functions and values
grade     holds them against the tests of the source notebook: grade(source, submission) → result
worker    the process that does so, under limits of its own
pool      does it for all, on the cores of this machine or on a Dask cluster
results   stores each result, so that an interrupted run goes on; scores by question as CSV
export    the scores in the file that Canvas or Moodle imports
pages     the feedback for each student and the summary for the lecturer, as HTML
secret    of the course: unseen data depend on it, and stored results are sealed with it
progress  who is being graded, and how long the others will take
command   the command line
"""
