"""Who calls a function by saying its name: `self.fire("epoch_start")`, where `fire` runs
`getattr(callback, f"on_{event}")(self)`. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import NamedTuple

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Function, functions_of, parameters_of
from gradwatch_agent.source.syntax.text import mentions, nodes


class _Dispatcher(NamedTuple):
    """A function that runs a method by a word that it is given."""

    function: Function
    word: str
    """The parameter."""
    before: str
    after: str
    """What the method's name has besides the word."""


def calls_by_word(name: str, files: Collection[str]) -> Iterator[tuple[str, ast.Call]]:
    """All calls that have the function of that name run, each with its file."""
    for file in files:
        for each in _dispatchers(file) if mentions(file, "getattr") else ():
            for at, call in calls_of(each.function.name, files):
                said = given(call, each.function).get(each.word)
                word = said.value if isinstance(said, ast.Constant) else None
                if isinstance(word, str) and f"{each.before}{word}{each.after}" == name:
                    yield at, call


@lru_cache(maxsize=512)
def _dispatchers(file: str) -> tuple[_Dispatcher, ...]:
    inside = {
        part
        for node in nodes(file)
        if isinstance(node, ast.Call) and called(node) == "getattr"
        for part in node.args[1:2]
    }
    found = []
    for function in functions_of(file) if inside else ():
        parameters = {each.arg for each in parameters_of(function)}
        for part in (part for part in ast.walk(function) if part in inside):
            word, before, after = _spelled(part)
            if word in parameters:
                found.append(_Dispatcher(function, word, before, after))
    return tuple(found)


def _spelled(name: ast.AST) -> tuple[str, str, str]:
    """The variable in it, and what stands before and after: of `event`, `f"on_{event}"`,
    `"on_" + event`; no variable where it is put together otherwise.
    """
    match name:
        case ast.Name(id=word):
            return word, "", ""
        case ast.BinOp(left=ast.Constant(value=str(before)), op=ast.Add(), right=ast.Name(id=word)):
            return word, before, ""
        case ast.JoinedStr(values=values):
            texts = [getattr(each, "value", None) for each in values]
            words = [each.id for each in texts if isinstance(each, ast.Name)]
            constants = [each if isinstance(each, str) else None for each in texts]
            if len(words) == 1 and constants.count(None) == 1:
                place = constants.index(None)
                ahead, behind = constants[:place], constants[place + 1 :]
                return words[0], "".join(map(str, ahead)), "".join(map(str, behind))
    return "", "", ""
