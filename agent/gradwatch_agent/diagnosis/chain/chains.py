"""`graph-chain`: who carries the nodes of earlier iterations into this one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.advice.cutting import call_it, cut_the_chain
from gradwatch_agent.advice.letting_go import let_go
from gradwatch_agent.advice.merging import merged
from gradwatch_agent.advice.storing import is_at_store
from gradwatch_agent.advice.timing import is_of_one_statement
from gradwatch_agent.advice.together import MOST, cut_alike, cut_all
from gradwatch_agent.diagnosis.chain.carriers import Carriers
from gradwatch_agent.diagnosis.chain.gathered import where_gathered
from gradwatch_agent.diagnosis.chain.halves import half_cut
from gradwatch_agent.diagnosis.chain.handed_on import where_handed_on, where_made_last
from gradwatch_agent.diagnosis.chain.in_loop import elsewhere, in_loop
from gradwatch_agent.diagnosis.chain.missed import missed_cut
from gradwatch_agent.diagnosis.chain.remembered import of_torchs_caches
from gradwatch_agent.diagnosis.held.in_grad import of_left_in_grad
from gradwatch_agent.diagnosis.lasting.ending import may_end, uncalled_cut
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.seen import Seen
from gradwatch_agent.diagnosis.place.stored import candidates, is_set_once
from gradwatch_agent.graph.reached import Crossing
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.lookups import alike
from gradwatch_agent.source.flow.emptying import is_drawn_by_chance
from gradwatch_agent.source.flow.loops import is_made_once
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts.case import Answer

_CARRIERS: Final = 4
"""Names told of one chain: an LSTM has two."""


def _together(known: Iterable[Known]) -> list[Known]:
    """Several elements of one container are that container; several attributes that only a
    constructor sets are the object, which is given anew as a whole, and so is a record.
    """
    groups: dict[str, list[tuple[Known, Path]]] = {}
    for each in known:
        parent = each.path.parent
        inside = parent is not None and parent.container and each.path.label.startswith("[")
        inside = inside or is_set_once(each.path, tensor=each.example is each.path)
        way = parent if inside and parent is not None else each.path
        groups.setdefault(way.expression, []).append((each, way))
    return [_one_of(group) for group in groups.values()]


def _one_of(group: list[tuple[Known, Path]]) -> Known:
    """What several parts of one thing are together."""
    first, way = group[0]
    if len(group) == 1:
        return dataclasses.replace(first, path=_assignable(first.path))
    attributes = {each.path.label: None for each, _ in group if each.path.attribute}
    beside = first.beside
    if all(each.path.label[:1] == "[" for each, _ in group):
        beside = tuple({label: None for each, _ in group for label in each.beside})
    return dataclasses.replace(first, path=_assignable(way), parts=tuple(attributes), beside=beside)


def _of_one_name(several: list[Known]) -> Known:
    """What several parts are of the thing that one name stands for."""
    beside = {each.example.code: None for each in several}
    first = {step.code for e in several for step in e.example.back() if step.parent is e.path}
    within = first.pop() if len(first) == 1 else ""
    return dataclasses.replace(several[0], beside=tuple(beside), within=within)


def _assignable(path: Path) -> Path:
    """The record or tuple rather than a part of it, which cannot be given anything; not where a
    record is made but once, for then what changes lies in it.
    """
    found = path
    for step in path.back():
        if step.fields and not all(map(is_made_once, candidates(step))):
            found = step
        if step.container == "tuple" and step is not path:
            found = step
        if step.attribute:
            break
    return found


def of_chain(
    crossings: Iterable[Crossing],
    carriers: Carriers,
    roots: list[Node],
    seen: Seen,
    *,
    constant: str = "",
    freed: bool = False,
    late: bool = False,
    walked: bool = True,
    in_grad: Site | None = None,
) -> Answer:
    """Who carries stale nodes into this iteration. `constant`: why this loss needs no
    gradient of theirs. `freed`: this backward must fail at them. `late`: it
    is noticed well after training has begun. `walked`: it goes back beyond them. `in_grad`: where a
    backward has left gradients with their graphs.
    """
    known, unnamed = _by_name(_as_made(crossings), carriers, roots)
    if not known:
        return unnamed
    each_name = list(map(_of_one_name, known.values()))
    parts = list(filter(carriers.lasts, each_name)) or each_name
    loop = carriers.loop()
    several = [
        dataclasses.replace(
            each,
            constant=constant or each.constant,
            freed=freed,
            late=late,
            walked=walked,
            in_loop=(said := in_loop(each.path, loop)),
            elsewhere=elsewhere(each.path, said, loop),
        )
        for each in _set_apart(_together(parts)[:MOST])
    ]
    if in_grad is not None and all(map(_is_a_gradient, several)):
        return of_left_in_grad(in_grad, None)
    answers = _answers(several, parts, seen)
    first = answers[0]
    others = [answer.holder for answer in answers if answer.holder not in (None, first.holder)]
    told = where_handed_on(first, parts) or where_made_last(first, parts)
    told = told or _with_all(first, answers)
    always = all(each.copied or _comes_and_goes(each.path) for each in several)
    return dataclasses.replace(told, others=tuple(others[: _CARRIERS - 1]), always=always)


def _is_a_gradient(known: Known) -> bool:
    return known.example.attribute and known.example.name == "grad"


def _comes_and_goes(path: Path) -> bool:
    """Whether it lies where the loss picks by chance how old a graph it reaches."""
    files = own_files()
    return any(step.container and is_drawn_by_chance(step.name, files) for step in path.back())


def _set_apart(several: list[Known]) -> list[Known]:
    """The same; what lies in a container is each iteration's own, where the state that leads from
    one to the next beside it may end.
    """
    states = [each.path for each in several if not each.path.container]
    if not states or not all(may_end(candidates(path), path) for path in states):
        return several
    return [dataclasses.replace(each, apart=True) for each in several]


def _by_name(
    crossings: list[Crossing], carriers: Carriers, roots: list[Node]
) -> tuple[dict[str, list[Known]], Answer]:
    """What carries the stale nodes, by its name; and where one is used that nothing carries. None
    by name where a cache of torch's own is what keeps them.
    """
    now = carriers.now()
    above = carriers.above(crossings, roots)
    known: dict[str, list[Known]] = {}
    unnamed: Answer | None = None
    for crossing in crossings:
        named = crossing.serial in now.paths
        if (kept := of_torchs_caches(above.stale(crossing), named=named)) is not None:
            return {}, kept
        for carrier in (found := carriers.of(crossing, now, above)):
            known.setdefault(carrier.path.expression, []).append(carrier)
        if found:
            continue
        if unnamed is None and crossing.used:
            unnamed = carriers.where_read(crossing)
    return known, unnamed or Answer()


def _as_made(crossings: Iterable[Crossing]) -> list[Crossing]:
    """What was made by an earlier statement comes first: others may be made of it."""
    every = list(crossings)
    begun: dict[Lines, int] = {}
    for each in every:
        begun[each.made[:1]] = min(each.sequence, begun.get(each.made[:1], each.sequence))
    return sorted(every, key=lambda each: begun[each.made[:1]])


def _with_all(first: Answer, answers: list[Answer]) -> Answer:
    """The first one, with what to change for all: at their statements, where each has its own."""
    answers = _of_one_statement(answers)
    first = dataclasses.replace(first, suggestion=answers[0].suggestion)
    if len(answers) == 1:
        return first
    lines = {(answer.file, answer.line): answer for answer in answers}
    alike = all(lines[each.file, each.line].suggestion == each.suggestion for each in answers)
    if alike and {file for file, _ in lines} == {first.file} and _are_at_stores(answers):
        others = [each for each in lines.values() if each.line != first.line]
        more = (f" In line {each.line}, too: `{_code(each)}`." for each in others)
        said = f"{first.suggestion}{''.join(more)}"
    else:
        said = cut_all([answer.suggestion or "" for answer in answers])
    return dataclasses.replace(first, suggestion=said)


def _of_one_statement(answers: list[Answer]) -> list[Answer]:
    """What is to be changed in one statement for several of them, told by the first of these."""
    found: dict[tuple[str | None, int | None], Answer] = {}
    others = []
    for each in answers:
        before = found.setdefault((each.file, each.line), each)
        if before is each:
            continue
        own = all(is_of_one_statement(answer.suggestion) for answer in (before, each))
        both = _both(before, each) if own else None
        if both is None:
            others.append(each)
        else:
            found[each.file, each.line] = both
    return [*found.values(), *others]


def _both(one: Answer, other: Answer) -> Answer | None:
    statement = statement_at(one.file, one.line) if one.file and one.line else None
    code = merged(statement, _code(one), _code(other)) if statement is not None else None
    if code is None:
        return None
    suggestion = (one.suggestion or "").replace(f"`{_code(one)}`", f"`{code}`")
    return dataclasses.replace(one, suggestion=suggestion)


def _are_at_stores(answers: list[Answer]) -> bool:
    return all(is_at_store(answer.suggestion) for answer in answers)


def _code(answer: Answer) -> str:
    return (answer.suggestion or "").split("`")[1]


def _answers(several: list[Known], parts: list[Known], seen: Seen) -> list[Answer]:
    """Of each; of elements of one thing for each of these, where each is made by a statement of its
    own: a rollout's returns and advantages.
    """
    answers = [_answer_for(each, seen) for each in several]
    if len(several) == 1 and several[0].path.attribute and not several[0].parts:
        return [_with_alike(answers[0], several[0].path)]
    if len(several) != 1 or not 1 < len(parts) <= _CARRIERS or several[0].parts:
        return answers
    elements = [dataclasses.replace(several[0], example=e.example, made=e.made) for e in parts]
    by_element = [_answer_for(each, seen) for each in elements]
    return by_element if _are_at_stores(by_element) else answers


def _with_alike(answer: Answer, path: Path) -> Answer:
    """One agent of several: each has a state of its own, and a loss."""
    one = path.parent.expression if path.parent is not None else ""
    return dataclasses.replace(
        answer, suggestion=cut_alike(answer.suggestion or "", one, alike(path))
    )


def _answer_for(known: Known, seen: Seen) -> Answer:
    """At the statement that means to cut it and misses, if there is one; else at the store. Where
    a method for it is there and forgotten, that one is to be called.
    """
    half = half_cut(known.example)
    cut = half if half.line is not None else missed_cut(known)
    if cut.line is not None:
        return dataclasses.replace(cut, holder=known.path.expression, how=known.path.via)
    advise = let_go if known.averaged else cut_the_chain
    answer = where_gathered(answer_for(known, advise, seen=seen), known)
    call = uncalled_cut(known.path)
    return dataclasses.replace(answer, suggestion=call_it(call)) if call else answer
