"""Stand-in for expecttest, which Debian lacks: torch's tests import its class, and those run here use nothing of it."""

import unittest

ACCEPT = False


class TestCase(unittest.TestCase):
    pass
