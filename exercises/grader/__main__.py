"""python -m exercises.grader hw1_pla [folder]: see `cli`."""

import sys

from exercises.grader.cli import main

sys.exit(main(sys.argv[1:]))
