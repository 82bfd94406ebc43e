"""case_tutorial.py - docs/tutorial.md's commands print what it says."""
import os
import tempfile

import transcript
from client import case
from daemon import Daemon

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")


@case()
def every_command_of_the_tutorial_prints_what_it_says(d):
    """In a service of its own, whose store is empty."""
    with open(os.path.join(DOCS, "tutorial.md")) as f:
        text = f.read()
    with Daemon(d.binary) as own, tempfile.TemporaryDirectory() as home:
        text = text.replace("http://127.0.0.1:8080", own.url)
        assert transcript.check(text, home, transcript.environment(own)) >= 20


@case()
def a_transcript_that_differs_is_noticed(_):
    """By the comparison that the tutorial's test relies on."""
    assert transcript.agree('{"x": [1, 2.5], "id": "…"}', '{"x":[1.0000000000001,2.5],"id":"7f"}\n')
    assert not transcript.agree('{"x": [1, 2.5]}', '{"x":[1,2.6]}')
    assert not transcript.agree('{"x": 1}', '{"x":1,"y":2}')
    assert not transcript.agree("", "curl: (7)")
    assert transcript.pairs("```sh\na\n```\n```\n1\n```\n```sh\nb\n```\n") == [("a\n", "1\n"), ("b\n", "")]
