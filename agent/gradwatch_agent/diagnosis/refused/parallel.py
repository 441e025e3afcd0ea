"""Data parallel training that waits for gradients that no backward gives."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, Final

from torch.nn.parallel import DistributedDataParallel

from gradwatch_agent.advice.rewriting import replaced
from gradwatch_agent.diagnosis.graphless.modules import is_module
from gradwatch_agent.diagnosis.refused.raising import Raised, Told
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.attributes import attribute_of
from gradwatch_agent.naming.containers import elements
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.text import code_of, nodes

_NAMED: Final = 4
"""So many weights are told by name."""

_MADE_BY: Final = ("DistributedDataParallel", "DDP")


def of_unreached(raised: Raised) -> Told | None:
    """Weights that took no part in the loss of the iteration before."""
    indices = re.search(r"did not receive grad for rank \d+: ([\d ]+)", raised.text)
    owners = (each for each in raised.owners() if type(each) is DistributedDataParallel)
    module = next(owners, None)
    if indices is None or module is None:
        return None
    weights = elements(attribute_of(module, "_module_parameters"))
    known = {id(weight): name for name, weight in _named(attribute_of(module, "module"), "")}
    names = [known.get(id(weights[int(index)]), index) for index in indices[1].split()]
    which = ", ".join(f"`{name}`" for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    word = f"The last loss was not made with {which}{more}, and every rank waits for a gradient."
    told = raised.told(word, "Let it be so: `find_unused_parameters=True`.", names[0])
    return _where_made(told, {raised.scene.file, *own_files()})


def _named(module: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    """Each weight with its name, as `named_parameters` has it."""
    if not is_module(module):
        return
    for name, weight in dict.items(attribute_of(module, "_parameters")):
        yield f"{prefix}{name}", weight
    for name, child in dict.items(attribute_of(module, "_modules")):
        yield from _named(child, f"{prefix}{name}.")


def _where_made(told: Told, files: Collection[str]) -> Told:
    """At the only place where such a module is made, with what it is to be given."""
    sentence, answer = told
    made = [
        (file, node, call)
        for file in files
        for node in nodes(file)
        if isinstance(node, ast.Assign | ast.Return | ast.Expr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and called(call) in _MADE_BY
    ]
    if len(made) != 1:
        return told
    file, node, call = made[0]
    finding = ast.keyword("find_unused_parameters", ast.Constant(value=True))
    kept = [word for word in call.keywords if word.arg != finding.arg]
    code = replaced(node, call, ast.Call(call.func, call.args, [*kept, finding]))
    suggestion = f"If they rightly take no part at times: `{code}`; else let them."
    where = replace(answer, file=file, line=node.lineno, code=code_of(file, node))
    return sentence, replace(where, suggestion=suggestion)
