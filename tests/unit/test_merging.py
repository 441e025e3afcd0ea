"""Two changes of one statement, both made."""

import ast

import pytest

from gradwatch_agent.advice.merging import merged

RETURN = "return (a(s), b(lp), ret, ret - v)"


@pytest.mark.parametrize(
    ("original", "one", "other", "both"),
    [
        (
            RETURN,
            "return (a(s), b(lp).detach(), ret, ret - v)",
            "return (a(s), b(lp), ret, (ret - v).detach())",
            "return (a(s), b(lp).detach(), ret, (ret - v).detach())",
        ),
        (
            "x = f(a, b)",
            "x = f(a.detach(), b)",
            "x = f(a, b.detach())",
            "x = f(a.detach(), b.detach())",
        ),
        ("x = f(a)", "x = f(a.detach())", "x = f(a.detach())", "x = f(a.detach())"),
        ("x = f(a)", "x = f(a.detach())", "x = f(a.item())", None),
        ("x.a = y", "x.b = y", "x.c = y", None),
        ("x = f(a)", "x = f(a)", "x = f(a, 1)", "x = f(a, 1)"),
        ("x = f(a, b)", "x = f(a)", "x = f(a, b, c)", None),
        ("for x in y: pass", "for x in y:", "for x in z:", None),
    ],
)
def test_both_are_made_or_none(original, one, other, both):
    assert merged(ast.parse(original).body[0], one, other) == both
    assert merged(ast.parse(original).body[0], other, one) == both
