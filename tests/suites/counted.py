"""Counts the requests that a client makes, by the function that makes them."""
import collections
import functools
import os

import linalgd

answered = collections.Counter()
client = linalgd.Client(os.environ["LINALGD_URL"])
core_call = client._core.call


def call(*arguments):
    try:
        result = yield from core_call(*arguments)
    except linalgd.errors.Problem:
        answered["all"] += 1
        raise
    answered["all"] += 1
    return result


client._core.call = call


def counted(function, replaced):
    """Returns function with the name and signature of the one that it replaces. A call of it counts for the requests
    that the service has answered in it."""
    @functools.wraps(replaced)
    def call(*args, **options):
        before = answered["all"]
        try:
            return function(*args, **options)
        finally:
            answered[replaced.__name__] += answered["all"] - before
    return call
