"""For a statement that changes in place what backward still needs. Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from gradwatch_agent.advice.rewriting import replaced
from gradwatch_agent.advice.viewed import of_all_seen, whole_seen
from gradwatch_agent.source.flow.bindings import is_own, parameters_of
from gradwatch_agent.source.flow.containing import contains, tensor_in
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.gradients.changing import InPlace, is_true, made_in_place
from gradwatch_agent.source.syntax.reading import called, dotted, reads, seen_in
from gradwatch_agent.source.syntax.statements import body_around, is_within, results_of
from gradwatch_agent.source.syntax.text import nodes


def change_a_copy(change: InPlace, files: Collection[str]) -> str:
    """The statement, changed so that it makes something new; `files` are the user's."""
    if change.how == "module" and change.call is not None:
        made = made_in_place(change.file, called(change.call))
        if made is not None:
            plain = replaced(made, made.value, without_inplace(made.value))
            return f"Make the module so that it leaves its input alone: `{plain}`."
    tensor = tensor_in(change.target, change.file, files)
    if isinstance(tensor, ast.Call) and dotted(seen := seen_in(tensor)) is not None:
        tensor = seen
    name = ast.unparse(tensor)
    back = " and hand it back" if _is_parameter(name, change) else ""
    if (code := of_all_seen(change, tensor)) is not None:
        return f"Change a copy: `{code}`."
    if (whole := whole_seen(change, tensor)) is not None:
        return (
            f"`{name}` shows a part of `{whole}`, which is read later: put `{whole}` together anew "
            "of what is changed and what is not, as by torch.cat."
        )
    if (code := _anew(change, tensor)) is not None:
        return f"Make something new instead of changing it in place{back}: `{code}`."
    several = contains(change.target, change.file, files)
    if (whole := _drawn_from(change, name)) is not None:
        back = f", and put that into its place in `{whole}`"
    code = _of_each(change) if several else _of_a_copy(change, name)
    return f"Change a copy{back}: `{_declared(change, name)}{code}`."


def _declared(change: InPlace, name: str) -> str:
    """Of a module's own variable, what lets the function give it a copy; nothing where it has read
    it before.
    """
    body = body_around(change.file, change.line)
    if not isinstance(body, ast.FunctionDef) or not name.isidentifier() or is_own(body, name):
        return ""
    ahead = (n for n in ast.walk(body) if isinstance(n, ast.Name) and n.lineno < change.line)
    if name in {each.id for each in ahead}:
        return ""
    around = (n for n in nodes(change.file) if isinstance(n, ast.FunctionDef) and n is not body)
    outer = any(is_within(n, change.line) and is_own(n, name) for n in around)
    return f"nonlocal {name}; " if outer else f"global {name}; "


def _drawn_from(change: InPlace, name: str) -> str | None:
    """The list whose elements a loop around the statement calls so, one after another: it would see
    nothing of a copy.
    """
    body = body_around(change.file, change.line)
    for loop in loops_at(body, change.line) if body is not None else ():
        match loop:
            case ast.For(target=ast.Name(id=drawn), iter=ast.Name() | ast.Attribute() as whole):
                if drawn == name:
                    return ast.unparse(whole)
    return None


def _of_each(change: InPlace) -> str:
    """Of a list: `torch._foreach_mul_(grads, 0.5)`."""
    name = ast.unparse(change.target)
    return f"{name} = [t.clone() for t in {name}]; {change.plain}"


def _of_a_copy(change: InPlace, name: str) -> str:
    return _of_what_was(change.node, name) or f"{name} = {name}.clone(); {change.plain}"


def _of_what_was(node: ast.stmt, name: str) -> str | None:
    """Of `u[1:] += u[:-1] * k`: a copy changed by what stays as it was. None if it does not read
    what it changes, so that nothing of it is saved there.
    """
    match node:
        case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value):
            new = _sum(target, op, value)
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            new = value
        case _:
            return None
    if not any(ast.unparse(part) == name for part in ast.walk(value)):
        return None
    last = name.rpartition(".")[2]
    copy = f"{last}_new" if last.isidentifier() else "new"
    element = f"{copy}{ast.unparse(target).removeprefix(name)}"
    return f"{copy} = {name}.clone(); {element} = {ast.unparse(new)}; {name} = {copy}"


def _sum(target: ast.expr, op: ast.operator, value: ast.expr) -> ast.expr:
    """What an augmented assignment works out, as an expression of its own."""
    return ast.BinOp(ast.parse(ast.unparse(target), mode="eval").body, op, value)


def _is_parameter(name: str, change: InPlace) -> bool:
    """Whether it is one of the function's, which does not hand it back: the caller would see
    nothing of a copy.
    """
    body = body_around(change.file, change.line)
    if not isinstance(body, ast.FunctionDef) or name not in parameters_of(body):
        return False
    return not any(name in reads(value) for _, value in results_of(body))


def _anew(change: InPlace, tensor: ast.expr) -> str | None:
    node, call = change.node, change.call
    if change.how == "augment" and isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Subscript) and node.target is not tensor:
            return None
        new = _sum(node.target, node.op, node.value)
        return ast.unparse(ast.Assign([node.target], new, lineno=node.lineno))
    if change.how == "argument" and call is not None:
        kept = [each for each in call.keywords if each.arg not in ("inplace", "out")]
        if len(kept) < len(call.keywords):
            return _assigned(change, call, ast.Call(call.func, call.args, kept))
    if change.how == "method" and call is not None and isinstance(call.func, ast.Attribute):
        return _by_method(change, call, call.func, tensor)
    return None


_NEW = {"zero_": "torch.zeros_like({0})", "copy_": "{1}", "fill_": "torch.full_like({0}, {1})"}
"""What has no method of the same name without the underscore."""

_ON_A_CLONE = frozenset(
    (
        *("fill_diagonal_", "normal_", "uniform_", "random_", "exponential_"),
        *("cauchy_", "geometric_", "log_normal_"),
    )
)
"""Nor has this; and nothing else does the same."""


def once_a_step(change: InPlace) -> str:
    """For a hook that changes a weight whenever its module is called."""
    return (
        f"Do `{change.plain}` once, behind each step, and in no hook: its next call changes what "
        "this forward has saved. Or let torch.nn.utils.parametrize make of the weight the one that "
        "is used."
    )


def leave_as_it_is(change: InPlace) -> str:
    """For a weight that the forward itself changes, ahead of its use or behind it."""
    name = ast.unparse(change.target)
    leave = f"Leave `{name}` as it is in the forward: what changes it is to make another tensor"
    match change.call:
        case ast.Call(func=ast.Attribute(value=value, attr=method), args=args, keywords=words) if (
            change.how == "method" and method not in {*_NEW, *_ON_A_CLONE}
        ):
            plain = ast.Call(ast.Attribute(value, method.rstrip("_"), ast.Load()), args, words)
            code = f"{name.rpartition('.')[2]} = {ast.unparse(plain)}"
            return f"{leave}, `{code}`, outside of no_grad, which is used there instead."
    return f"{leave}, outside of no_grad, which is used there instead; or do it behind backward."


def _by_method(
    change: InPlace, call: ast.Call, func: ast.Attribute, tensor: ast.expr
) -> str | None:
    pattern = _NEW.get(func.attr)
    if isinstance(func.value, ast.Subscript) and func.value is not tensor:
        return None
    if func.attr in _ON_A_CLONE:
        clone = ast.Call(ast.Attribute(func.value, "clone", ast.Load()), [], [])
        new = ast.Call(ast.Attribute(clone, func.attr, ast.Load()), call.args, call.keywords)
        return _assigned(change, call, new)
    if pattern is None:
        plain = ast.Attribute(func.value, func.attr.removesuffix("_"), ast.Load())
        return _assigned(change, call, ast.Call(plain, call.args, call.keywords))
    given = ast.unparse(call.args[0]) if call.args else ""
    text = pattern.format(ast.unparse(func.value), given)
    return _assigned(change, call, ast.parse(text, mode="eval").body)


def _assigned(change: InPlace, call: ast.Call, new: ast.expr) -> str | None:
    """The statement with the new call; if it is there for the change alone, with what comes of it
    stored.
    """
    code = replaced(change.node, call, new)
    if isinstance(change.node, ast.Expr) and call in _chain(change.node.value):
        return f"{ast.unparse(change.target)} = {code}"
    return code


def _chain(value: ast.expr) -> Iterator[ast.expr]:
    """A call, what its method is called on, and so on: of `x.mul_(2).floor_()` all calls."""
    while isinstance(value, ast.Call):
        yield value
        value = value.func.value if isinstance(value.func, ast.Attribute) else value.func


def without_inplace(made: ast.expr) -> ast.expr:
    """The call that makes a module, of one that leaves its input alone."""
    if not isinstance(made, ast.Call):
        return made
    kept = [keyword for keyword in made.keywords if keyword.arg != "inplace"]
    by_place = len(kept) == len(made.keywords) and any(map(is_true, made.args[-1:]))
    return ast.Call(made.func, made.args[:-1] if by_place else made.args, kept)
