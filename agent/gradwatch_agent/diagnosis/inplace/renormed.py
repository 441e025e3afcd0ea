"""A weight that its own module scales in place in each forward: an Embedding with `max_norm`
(torch.nn.Embedding's documentation tells of it, and of the cure).
"""

from __future__ import annotations

import ast

import torch

from gradwatch_agent.advice.rewriting import method, replaced
from gradwatch_agent.diagnosis.inplace.stepped import Changed
from gradwatch_agent.diagnosis.inplace.suspects import named
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.changing import made_with
from gradwatch_agent.source.syntax.reading import dotted
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts.case import Answer


def of_its_forward(node: Node, weight: torch.Tensor) -> Changed | None:
    """By the forward of the module whose the weight is; None if that changes nothing."""
    name = named(weight) or ""
    owner = name.rpartition(".")[0]
    last = owner.rpartition(".")[2]
    if not name.endswith(".weight") or not any(
        any(made_with(file, last, "max_norm")) for file in own_files()
    ):
        return None
    word = f"Each forward of `{owner}` scales `{name}` in place, for it has a max_norm."
    made = made_at(node)
    if not made:
        return Changed(Answer(holder=name), f"{word} Let what else reads it read `{name}.clone()`.")
    code = _of_a_copy(made[0].file, made[0].line)
    return Changed(at(made[0], f"Let it read a copy: `{code or f'{name}.clone()'}`.", name), word)


def _of_a_copy(file: str, line: int) -> str | None:
    """The statement with `x.weight.clone()`; None if it does not read the weight by that name."""
    statement = statement_at(file, line)
    if statement is None:
        return None
    for part in ast.walk(statement):
        if isinstance(part, ast.Attribute) and part.attr == "weight" and dotted(part):
            return replaced(statement, part, method(part, "clone"))
    return None
