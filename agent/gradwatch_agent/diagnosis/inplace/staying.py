"""A state that is changed in place, with a graph, and stays: made anew in place of that, it would
carry its graph into the next iteration.
"""

from __future__ import annotations

from dataclasses import replace

import torch

from gradwatch_agent.diagnosis.inplace.stepped import Changed
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.stored.stores import attribute, stores
from gradwatch_agent.source.syntax.vocabulary import works_in_place


def cut_if_it_stays(found: Changed, whole: torch.Tensor) -> Changed:
    """The same, with where to cut it besides: an attribute that a constructor alone gives anything
    is the next iteration's, too. `whole`: what was changed.
    """
    name, advice = found.answer.holder or "", found.answer.suggestion
    if whole.grad_fn is None or not advice or not _is_set_up_once(name):
        return found
    cut = f" It stays for the next iteration: ahead of that, `{name} = {name}.detach()`."
    return replace(found, answer=replace(found.answer, suggestion=f"{advice}{cut}"))


def _is_set_up_once(name: str) -> bool:
    _, dot, own = name.rpartition(".")
    every = stores([attribute(own)], own_files()) if dot and own.isidentifier() else []
    given = [each for each in every if each.certain and not works_in_place(each.how)]
    given = [each for each in given if "[" not in each.target]
    return bool(given) and all(each.constructs for each in given)
