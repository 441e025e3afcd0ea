"""The way from a name to a thing, in the words a user would type. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple


class Named(NamedTuple):
    """What statements store into, on the way: a variable or an attribute. Made for each attribute
    that a search meets, so of a kind that is quickly made.
    """

    name: str
    file: str
    """Where the variable at the way's beginning lives: the file of the frame or module."""
    line: int = 0
    """The first line of the code that sees the variable; 0 for a module's own."""
    function: str = ""
    """That code's name; empty for a module's own."""
    attribute: bool = False
    """Whether `name` is an attribute, not a variable."""
    owners: tuple[str, ...] = ()
    """The class of the object whose attribute it is, and that one's bases."""


class Path:
    """One step of a way, and the step before it. Made by the hundred thousand, so kept small.

    `label` is what the step adds to the expression: "model", ".state", "['loss']", or nothing.
    `named` is the last variable or attribute on the way. `container` is the kind of container
    ("list") the step leads into, if it does, `size` the number of its elements, and `fields` their
    names, if it is a record (namedtuple), `classes` the user's own class that it is of, its bases,
    and Python's own kind that it is one of; `index` tells a number or a key of no fixed name: one
    element of many. `via` tells how a thing is kept, where it is by more than the name; of a
    function's own variable, `behind` leads to the function.
    """

    __slots__ = (
        "behind", "classes", "container", "fields", "identity", "index", "label", "links", "named",
        "parent", "size", "steps", "via",
    )  # fmt: skip

    def __init__(
        self,
        label: str,
        named: Named,
        parent: Path | None = None,
        *,
        index: bool = False,
        via: str = "",
    ) -> None:
        self.label = label
        self.named = named
        self.parent = parent
        self.index = index
        self.container = ""
        self.size = 0
        self.fields: tuple[str, ...] = ()
        self.classes: tuple[str, ...] = ()
        self.identity = 0
        """The `id` of what it led to, once that was looked into."""
        self.via = via
        self.behind: Path | None = None
        again = parent is not None and label == parent.label and label[:1] == "."
        self.steps: int = 0 if parent is None else parent.steps + (not again)
        """How deep it lies; a list that is linked by one attribute is no deeper at its end."""
        self.links: int = 0 if parent is None else parent.links + again

    @classmethod
    def of(cls, name: str, file: str, line: int = 0, function: str = "", via: str = "") -> Path:
        """The way to a variable."""
        return cls(name, Named(name, file, line, function), via=via)

    @property
    def root(self) -> Path:
        """The first step: a variable."""
        step = self
        while step.parent is not None:
            step = step.parent
        return step

    @property
    def name(self) -> str:
        """The last variable or attribute on the way."""
        return self.named.name

    @property
    def file(self) -> str:
        """Where the variable at its beginning lives."""
        return self.named.file

    @property
    def line(self) -> int:
        """The first line of the code that sees the variable."""
        return self.named.line

    @property
    def attribute(self) -> bool:
        """Whether the name is an attribute's."""
        return self.named.attribute

    @property
    def owners(self) -> tuple[str, ...]:
        """The class whose attribute it is, and its bases."""
        return self.named.owners

    @property
    def expression(self) -> str:
        """The whole way."""
        parts = [f".{field}" if (field := step.field) else step.label for step in self.back()]
        return "".join(reversed(parts))

    @property
    def kind(self) -> str:
        """Of Python's own, the container that it leads into."""
        return self.classes[-1] if self.classes else self.container

    @property
    def field(self) -> str:
        """The name of the element, where it is one of a record's fields."""
        fields = self.parent.fields if self.parent is not None else ()
        return fields[int(self.label[1:-1])] if fields and self.label[:1] == "[" else ""

    def back(self) -> Iterator[Path]:
        """The steps of the way, the last one first."""
        step: Path | None = self
        while step is not None:
            yield step
            step = step.parent

    @property
    def holder(self) -> Path:
        """The container rather than one of its many elements."""
        step = self
        while step.index and step.parent is not None:
            step = step.parent
        return step

    @property
    def collection(self) -> Path | None:
        """The outermost container on the way of which it is, or lies in, one of many elements, or
        the function whose own it is does; None where there is none, or it has no name.
        """
        steps = list(self.back())[::-1]
        one = next((step for step in steps if step.index), None)
        if one is None:
            return self.root.behind.collection if self.root.behind is not None else None
        return one.parent if one.parent is not None and one.parent.container else None

    @property
    def link(self) -> Path | None:
        """The first step over an attribute that the next step goes over again: a linked list's."""
        steps = [step for step in self.back() if step.label]
        pairs = zip(steps[1:], steps, strict=False)
        links = [one for one, after in pairs if one.label == after.label and one.label[0] == "."]
        return links[-1] if links else None

    @property
    def code(self) -> str:
        """The label; of a record's field with its name: "[2:mean]"."""
        return f"[{self.label[1:-1]}:{self.field}]" if self.field else self.label

    def begun_by(self, other: Path) -> Path:
        """The same way, from where another leads, to the same thing, instead of its variable."""
        return self.by_way_of(self.root, other)

    def by_way_of(self, old: Path, other: Path) -> Path:
        """The same way, from where another leads, to the same thing, instead of the step `old`."""
        way = Path(other.label, other.named, other.parent, index=other.index, via=other.via)
        way._leads_as(old)
        steps = itertools.takewhile(lambda step: step is not old, self.back())
        for step in reversed(list(steps)):
            named = other.named
            if step.attribute:
                named = step.named._replace(
                    file=other.file, line=other.line, function=other.named.function
                )
            way = Path(step.label, named, way, index=step.index, via=step.via)
            way._leads_as(step)
        return way

    def _leads_as(self, other: Path) -> None:
        """Into the same as another one."""
        self.container, self.size = other.container, other.size
        self.fields, self.classes = other.fields, other.classes
        self.identity = other.identity

    def to(self, attribute: str, owners: tuple[str, ...]) -> Path:
        """The step to an attribute."""
        label = f"[{attribute}]" if attribute.isdecimal() else f".{attribute}"
        old = self.named
        named = Named(attribute, old.file, old.line, old.function, attribute=True, owners=owners)
        return Path(label, named, self, via=self.via)

    def element(self, label: str, *, index: bool) -> Path:
        """The step into a container."""
        return Path(label, self.named, self, index=index, via=self.via)

    def within(self, via: str = "") -> Path:
        """A step that no user would write: the thing lies behind the same expression."""
        return Path("", self.named, self, index=True, via=via or self.via)
