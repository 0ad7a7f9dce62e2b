"""python -m exercises.grader hw1_pla [folder]: see `cli`."""

import sys

if __name__ == "__main__":
    from exercises.grader.cli import main

    sys.exit(main(sys.argv[1:]))
