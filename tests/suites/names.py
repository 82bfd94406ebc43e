"""Names of tests, and patterns for them."""
import re


def name_of(nodeid):
    """Returns the name of a test without its file."""
    return nodeid.split("::", 1)[1]


def matches(pattern, name):
    """Whether the name is the pattern, in which * stands for any characters."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), name) is not None
