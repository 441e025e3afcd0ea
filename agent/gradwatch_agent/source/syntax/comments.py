"""Code without what is said behind it. Pure."""

from __future__ import annotations

import contextlib
import io
import tokenize


def without_comment(text: str) -> str:
    """A line of code without the comment behind it."""
    ends = len(text)
    with contextlib.suppress(tokenize.TokenError, SyntaxError):  # it may be a part of a statement
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                ends = token.start[1]
    return text[:ends].rstrip()
