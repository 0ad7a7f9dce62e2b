"""python -m exercises.grader hw1_pla [folder]: see `command`."""

import sys

if __name__ == "__main__":
    from exercises.grader.command import main

    sys.exit(main(sys.argv[1:]))
