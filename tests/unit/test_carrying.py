"""Which variables of a loop are given something new before they are read, by source alone."""

from __future__ import annotations

import ast
import os
import re
import textwrap

import pytest

from gradwatch_agent.source.flow.carrying import is_reborn
from gradwatch_agent.source.stored.stores import stores, variable
from gradwatch_agent.source.syntax.statements import body_around

REBORN = {
    "in each round": """
        def run():
            h = None
            for x in xs:
                h = f(x)
                g(h)
    """,
    "with others": """
        def run():
            for x in xs:
                h, y = f(x)
                g(h)
    """,
    "in a block": """
        def run():
            while going():
                with torch.no_grad():
                    h = f()
                g(h)
    """,
    "of the module": """
        for x in xs:
            h = f(x)
            g(h)
    """,
    "of the module, and another's own": """
        class Net:
            def forward(self, x):
                h = self.f(x)
                return (lambda h: h)(h)

        for x in xs:
            h = net(x)
            g(h)
    """,
    "in the head of an inner loop": """
        def run():
            for x in xs:
                for h in f(x):
                    g(h)
    """,
}

CARRIED = {
    "read after an inner loop that may have no round": """
        def run():
            for x in xs:
                for h in f(x):
                    pass
                g(h)
    """,
    "read first": """
        def run():
            for x in xs:
                g(h)
                h = f(x)
    """,
    "read as it is made": """
        def run():
            for x in xs:
                h = f(x, h)
    """,
    "added to": """
        def run():
            for x in xs:
                h += f(x)
    """,
    "asked by the loop": """
        def run():
            while h < 3:
                h = f()
    """,
    "made now and then": """
        def run():
            for x in xs:
                if x:
                    h = f(x)
                g(h)
    """,
    "made unless it fails": """
        def run():
            for x in xs:
                try:
                    h = f(x)
                except ValueError:
                    pass
                g(h)
    """,
    "made unless that is suppressed": """
        def run():
            for x in xs:
                with suppress(ValueError):
                    h = f(x)
                g(h)
    """,
    "read by the loop around": """
        def run():
            for x in xs:
                y = g(h)
                for cell in cells:
                    h = cell(y)
    """,
    "read by a function within": """
        def run():
            def see():
                return h
            for x in xs:
                h = f(x)
    """,
    "everybody's": """
        def run():
            global h
            for x in xs:
                h = f(x)
    """,
    "the function's around": """
        def make():
            h = None
            def run():
                nonlocal h
                g(h)
                for x in xs:
                    h = f(x)
    """,
    "read by another function of the module": """
        def see():
            return h
        for x in xs:
            h = f(x)
    """,
    "the next one's place": """
        def run():
            for x in xs:
                h.next = h = f(x)
    """,
    "in two loops": """
        def run():
            for x in xs:
                h = f(x)
            for x in xs:
                h = g(x)
    """,
}


def reborn(tmp_path, text: str) -> bool:
    file = tmp_path / "train.py"
    file.write_text(text := textwrap.dedent(text).strip())
    os.utime(file, (0, 0))  # source is only read of files older than the process
    lines = text.splitlines()
    made = re.compile(r"\bh\b.*=|for h in")
    line = 1 + max(number for number, each in enumerate(lines) if made.search(each))
    body = body_around(str(file), line)
    begins = body.lineno if isinstance(body, ast.FunctionDef) else 0
    found = stores([variable(str(file), begins, "h")], [str(file)])
    assert found
    return is_reborn("h", found)


@pytest.mark.parametrize("text", REBORN.values(), ids=REBORN)
def test_made_anew_in_each_round_it_carries_nothing(tmp_path, text):
    assert reborn(tmp_path, text)


@pytest.mark.parametrize("text", CARRIED.values(), ids=CARRIED)
def test_where_it_may_be_read_before_it_may_carry(tmp_path, text):
    assert not reborn(tmp_path, text)
