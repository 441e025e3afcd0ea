"""A custom Function whose backward returns what does not fit what its forward was given."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from gradwatch_agent.diagnosis.refused.raising import Raised, Told
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.syntax.statements import Function, functions_of, methods_of, results_of
from gradwatch_agent.source.syntax.text import code_of, source_line


def of_count(raised: Raised) -> Told | None:
    """It returns too few gradients, or too many."""
    text = re.search(r"function (\w+)Backward returned .*expected (\d+), got (\d+)", raised.text)
    if text is None:
        return None
    kind, (expected, got) = text[1], (int(text[2]), int(text[3]))
    taken = ", ".join(f"`{each}`" for each in _taken(kind))
    word = (
        f"`{kind}.backward` returns {got} where its forward takes {expected}: one for each, None "
        f"for what needs no gradient{f' (of {taken})' if taken else ''}."
    )
    for file, result, value in _results(kind):
        parts = value.elts if isinstance(value, ast.Tuple) else [value]
        if len(parts) == got < expected:
            every = [ast.unparse(each) for each in parts] + ["None"] * (expected - got)
            suggestion = f"Return one for each: `return {', '.join(every)}`."
        else:
            suggestion = f"Return {expected}, in the order in which the forward takes them."
        return _at(raised, word, suggestion, (file, result))
    return None


def of_shape(raised: Raised) -> Told | None:
    """It returns a gradient of another shape than that of what it is for."""
    text = re.search(
        r"(\w+)Backward returned an invalid gradient at index (\d+) - got (\[.*?\]) but expected "
        r"shape compatible with (\[.*?\])",
        raised.text,
    )
    if text is None:
        return None
    kind, place, got, expected = text[1], int(text[2]), text[3], text[4]
    taken = _taken(kind)
    name = f"`{taken[place]}`" if place < len(taken) else f"input {place}"
    word = f"`{kind}.backward` returns for {name} a gradient of the shape {got}; it has {expected}."
    for file, result, _ in _results(kind):
        suggestion = f"Sum it over what the forward has broadcast: `.sum_to_size({expected})`."
        return _at(raised, word, suggestion, (file, result))
    return None


def of_once(raised: Raised) -> Told | None:
    """A backward of its own that is declared not to be differentiated, and is."""
    found = [
        (file, function, each)
        for file in own_files()
        for function in functions_of(file)
        for each in function.decorator_list
        if ast.unparse(each).endswith("once_differentiable")
    ]
    if len(found) != 1:
        return None
    file, function, decorator = found[0]
    sentence, answer = raised.told(
        f"The gradient is differentiated itself, and `{function.name}` of a custom Function is "
        "declared not to be.",
        f"Leave `@{ast.unparse(decorator)}` away, if it is made of functions of torch alone; else "
        "write its derivative as a custom Function, too.",
    )
    where = replace(answer, file=file, line=decorator.lineno)
    return sentence, replace(where, code=source_line(file, decorator.lineno))


def _taken(kind: str) -> list[str]:
    """What the forward is called with, by name."""
    for _, function in methods_of(kind, "forward", own_files()):
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        return names[1:] if names[:1] == ["ctx"] else names
    return []


def _results(kind: str) -> Iterator[tuple[str, ast.stmt, ast.expr]]:
    for file, function in methods_of(kind, "backward", own_files()):
        for result, value in _returned(function):
            yield file, result, value


def _returned(function: Function) -> Iterator[tuple[ast.stmt, ast.expr]]:
    for result, value in reversed(results_of(function)):
        if isinstance(result, ast.Return):
            yield result, value


def _at(raised: Raised, word: str, suggestion: str, place: tuple[str, ast.stmt]) -> Told:
    file, statement = place
    sentence, answer = raised.told(word, suggestion)
    code = code_of(file, statement)
    return sentence, replace(answer, file=file, line=statement.lineno, code=code)
