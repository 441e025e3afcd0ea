"""A state that is handed on as a whole, with every tensor in it detached. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from dataclasses import replace

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.parts import field_in
from gradwatch_agent.advice.rewriting import Change, detached, is_bare, method, replaced
from gradwatch_agent.advice.within import of_kept
from gradwatch_agent.source.stored.frozen import replacing
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.statements import body_around

Cut = Callable[[str], str]
"""The expression without its graph."""


def whole_detached(kept: Kept, store: Store | None) -> str:
    """The assignment that does it: `self.state = tuple(t.detach() for t in self.state)`."""
    name = _spelled(kept, store)
    if store is not None and (whole := _by_any_key(name, kept, store)) is not None:
        one = replace(kept, expression=f"{whole}[key]", own_keys=(), in_loop=True)
        return f"for key in {whole}: {whole_detached(one, store)}"
    if kept.parameter:
        return f"{name}.detach_()"
    if kept.made_of:
        owner = name if kept.labels else name.rpartition(".")[0]
        # A copy: what it was made of may be weights, which go on changing in place.
        given = ", ".join(f"{each}={owner}.{each}.detach().clone()" for each in kept.made_of)
        return f"{owner} = type({owner})({given})"
    end = _end(kept)
    if (kept.unlike or kept.deep_beside) and not kept.own_class:
        each = f"lambda t: {end('t')} if torch.is_tensor(t) else t"
        if within := field_in(kept.within):  # of a record's other fields some may be trained
            part = f"torch.utils._pytree.tree_map({each}, {name}.{within})"
            return f"{name} = {name}._replace({within}={part})"
        return f"{name} = torch.utils._pytree.tree_map({each}, {name})"
    if (field := kept.field) is not None:
        inner = each_cut(f"{name}.{field}", kept.kinds[1:], 0, end)
        beside = (f", {one}={end(f'{name}.{one}')}" for one in kept.fields_beside)
        return f"{name} = {name}._replace({field}={inner}{''.join(beside)})"
    if kept.fields and not kept.own_class:
        cut = ", ".join(f"{field}={end(f'{name}.{field}')}" for field in kept.fields)
        return f"{name} = {name}._replace({cut})"
    if kept.frozen:
        files = (store.file,) if store is not None else kept.files
        return _replaced(kept, name, _of_each_object(kept, files) or end, replacing(files))
    if kept.kinds[:1] in (("UserDict",), ("UserList",)):
        kinds = (kept.kinds[0].removeprefix("User").lower(), *kept.kinds[1:])
        return f"{name}.data = {each_cut(f'{name}.data', kinds, 0, end)}"
    if kept.kinds[:1] == ("ndarray",):
        each = each_cut("t", kept.kinds[1:], 1, end)
        return f"for i, t in enumerate({name}.flat): {name}.flat[i] = {each}"
    if (one_by_one := _of_objects(kept, name, end)) is not None:
        return one_by_one
    if kept.own_class:
        return _filled_as_its_own(name, kept.kinds, end)
    if store is not None and _is_filled_from_within(name, store):
        return _filled_anew(name, kept.kinds, end)
    every = ((f"{name}{part}", kinds) for part, kinds in _attributes(kept))
    return "; ".join(f"{part} = {each_cut(part, kinds, 0, end)}" for part, kinds in every)


def _by_any_key(name: str, kept: Kept, store: Store) -> str | None:
    """The dict, where the statement stores under whatever key a variable has, and this is one."""
    key = kept.own_keys[-1] if len(kept.own_keys) == 1 else ""
    target = ast.parse(store.target, mode="eval").body
    while isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
        target = target.value  # of `states[env][part]` the first
    variable = isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Name)
    if not variable or key[:2] != "['" or not name.endswith(key):
        return None
    return name.removesuffix(key)


def _end(kept: Kept) -> Cut:
    cut = ".detach().requires_grad_()" if kept.leaf else ".detach()"
    if (kept.mixed or kept.gaps or kept.partly) and kept.kinds and not kept.unlike:
        return lambda name: f"{name}{cut} if torch.is_tensor({name}) else {name}"
    return lambda name: f"{name}{cut}"


def _of_objects(kept: Kept, name: str, end: Cut) -> str | None:
    """Of a collection of objects in whose attributes the tensors are."""
    attribute = "".join(kept.labels[1:])
    if len(kept.kinds) != 1 or not re.fullmatch(r"(\.\w+)+", attribute):
        return None
    every = f"{name}.values()" if kept.kinds[0] in _MAPPINGS else name
    each = f"each{attribute}"
    return f"for each in {every}: {each} = {end(each)}"


def _of_each_object(kept: Kept, files: Collection[str]) -> Cut | None:
    """Of objects that lie in a container, in whose attribute the tensors are: another one each."""
    attribute = "".join(kept.labels[len(kept.kinds) :])
    if not kept.kinds or not re.fullmatch(r"\.\w+", attribute):
        return None
    anew, cut = replacing(files) or "dataclasses.replace", ".detach()"
    cut += ".requires_grad_()" if kept.leaf else ""
    return lambda each: f"{anew}({each}, {attribute[1:]}={each}{attribute}{cut})"


def _is_filled_from_within(name: str, store: Store) -> bool:
    """Whether a function puts elements into what somebody else has made, a parameter or a variable
    around it: one of its own of that name would change nothing for anybody.
    """
    into, by_key, _ = store.target.partition("[")
    if store.how not in ("assign", "augment") or not name.isidentifier():
        return False
    if into != name or not by_key:
        return False
    body = body_around(store.file, store.line)
    nodes = ast.walk(body) if body is not None else ()
    stored = (node for node in nodes if isinstance(node, ast.Name) and node.id == name)
    return not any(isinstance(node.ctx, ast.Store) for node in stored)


def _filled_as_its_own(name: str, kinds: tuple[str, ...], end: Cut) -> str:
    """Of a class whose objects no plain container can take the place of, whatever it overrides."""
    match kinds[0]:
        case "dict":
            return f"dict.update({name}, {each_cut(name, kinds, 0, end)})"
        case "list":
            return f"{name}[:] = {each_cut(name, kinds, 0, end)}"
        case "deque":
            return f"for i, t in enumerate({name}): {name}[i] = {each_cut('t', kinds[1:], 1, end)}"
    return f"{name} = type({name})({each_cut('t', kinds[1:], 1, end)} for t in {name})"


def _filled_anew(name: str, kinds: tuple[str, ...], end: Cut) -> str:
    whole = each_cut(name, kinds, 0, end)
    match kinds[:1]:
        case ("list",):
            return f"{name}[:] = {whole}"
        case ("dict" | "OrderedDict" | "defaultdict",):
            return f"{name}.update({whole})"
        case ():
            return f"{name}.detach_()"
    return f"{name} = {whole}"


def _replaced(kept: Kept, name: str, end: Cut, replace: str | None) -> str:
    """Of an object whose attributes cannot be given anything: another one in its place.

    `replace` is what the file knows dataclasses' own by, None if by no name.
    """
    whole = [(f"{name}{part}", kinds) for part, kinds in _attributes(kept)]
    owner = whole[0][0].rpartition(".")[0]
    given = (f"{one.rpartition('.')[2]}={each_cut(one, kinds, 0, end)}" for one, kinds in whole)
    anew = f"{owner} = {replace or 'dataclasses.replace'}({owner}, {', '.join(given)})"
    return anew if replace else f"import dataclasses; {anew}"


def without_its_graph(kept: Kept, statement: ast.stmt, value: ast.expr) -> str:
    """For a record that a statement makes: the statement, with what it gives detached."""
    text = ast.unparse(value)
    name = text if is_bare(value) or isinstance(value, ast.Call) else f"({text})"
    whole = ast.parse(each_cut(name, kept.kinds, 0, _end(kept)), mode="eval").body
    return f"Store it without its graph: `{replaced(statement, value, whole)}`."


def handed_over(kept: Kept, statement: ast.stmt) -> str | None:
    """For a library that stores what a function of the user's returns: the function's statement,
    returning it detached; None if what it returns may be more than the tensor.
    """
    lambdas = [node for node in ast.walk(statement) if isinstance(node, ast.Lambda)]
    owner = statement if isinstance(statement, ast.Return) else lambdas[0] if lambdas else None
    value = owner.value if isinstance(owner, ast.Return) else owner.body if owner else None
    if len(lambdas) > 1 or value is None:
        return None
    # Of a collection, from an element on; what that is, a variable does not tell.
    labels = kept.labels[1:] if kept.kinds else kept.labels
    known = not (kept.kinds and isinstance(value, ast.Name))
    if labels and known and (new := of_kept(kept, value, labels, _cut(kept))) is not None:
        return f"Hand it over without its graph: `{replaced(statement, value, new)}`."
    if len(kept.labels) > 1 or (known and not isinstance(value, _ONE)):
        return None
    text = ast.unparse(value) if is_bare(value) else f"({ast.unparse(value)})"
    plain = ast.parse(f"{text}.detach()", mode="eval").body
    return f"Hand it over without its graph: `{replaced(statement, value, plain)}`."


def _cut(kept: Kept) -> Change:
    """`x.detach()`, of a leaf with what makes it one again."""
    return (lambda value: method(detached(value), "requires_grad_")) if kept.leaf else detached


_ONE = (ast.Subscript, ast.Attribute, ast.BinOp)
"""What is likely to be one thing, and no record."""


def _attributes(kept: Kept) -> list[tuple[str, tuple[str, ...]]]:
    """Of an object, the attributes to be detached, each with what leads on to the tensors in it;
    else nothing is added to the name.
    """
    if kept.is_object:
        return [(part, kept.kinds) for part in kept.parts or ("".join(kept.labels),)]
    if not kept.by_attributes or kept.labels[0] not in kept.parts:
        return [("", kept.kinds)]
    known = {part: (kind,) for part, kind in kept.collections} | {kept.labels[0]: kept.kinds}
    return [(part, known.get(part, ())) for part in kept.parts]


def _spelled(kept: Kept, store: Store | None) -> str:
    """Its own name where the loop knows it; else as the storing statement spells it."""
    if store is None or kept.in_loop:
        return kept.expression
    plain = store.target.partition("[")[0]
    if plain.rpartition(".")[2] != kept.name:
        return kept.expression
    return plain + kept.expression.rpartition(kept.name)[2]


_MAPPINGS = ("dict", "OrderedDict", "defaultdict")

_VARIABLES = ("t", "u", "v", "w", "x", "y", "z")


def each_cut(name: str, kinds: tuple[str, ...], depth: int, end: Cut) -> str:
    """The thing with every tensor in it detached."""
    if not kinds or depth >= len(_VARIABLES):
        return end(name)
    variable = _VARIABLES[depth]
    inner = each_cut(variable, kinds[1:], depth + 1, end)
    match kinds[0]:
        case "list":
            return f"[{inner} for {variable} in {name}]"
        case "dict":
            return f"{{k: {inner} for k, {variable} in {name}.items()}}"
        case "OrderedDict":
            return f"type({name})((k, {inner}) for k, {variable} in {name}.items())"
        case "defaultdict":
            inside = f"{{k: {inner} for k, {variable} in {name}.items()}}"
            return f"type({name})({name}.default_factory, {inside})"
        case "deque":
            return f"type({name})(({inner} for {variable} in {name}), {name}.maxlen)"
        case "tuple" | "set" | "frozenset":
            return f"{kinds[0]}({inner} for {variable} in {name})"
    if not kinds[1:] and " if " not in inner:
        inner = f"{inner} if torch.is_tensor({variable}) else {variable}"
    return f"type({name})(*({inner} for {variable} in {name}))"  # a record, of tensors and others
