"""`python -m tutti`: the tutti command."""

import os
import sys

from ._worlds import command

path = command()
os.execv(path, [path, *sys.argv[1:]])
