"""The way from a name to a thing, in the words a user would type. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Path:
    """One step of a way, and the step before it."""

    label: str
    """What this step adds to the expression: "model", ".state", "['loss']", or nothing."""
    name: str
    """The last variable or attribute on the way, which statements store into."""
    file: str
    """Where the variable at its beginning lives: the file of the frame or module."""
    line: int = 0
    """The first line of the code that sees the variable; 0 for a module's own."""
    function: str = ""
    """That code's name; empty for a module's own."""
    attribute: bool = False
    """Whether `name` is an attribute, not a variable."""
    owners: tuple[str, ...] = ()
    """The class of the object whose attribute it is, and that one's bases."""
    container: str = ""
    """The kind of container this step leads into ("list"), if it does."""
    index: bool = False
    """Whether this step is a number or a key of no fixed name: one element of many."""
    via: str = ""
    """How it is kept, where it is by more than the name: a closure, a hook, a traceback."""
    steps: int = 0
    parent: Path | None = None

    @property
    def expression(self) -> str:
        """The whole way."""
        return "".join(reversed([step.label for step in self.back()]))

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
    def key(self) -> str | None:
        """The first fixed key below the name: "'loss'" of `log['loss'][3]`."""
        keys = [s.label for s in self.back() if s.name == self.name and s.label.startswith("[")]
        return keys[-1][1:-1] if keys else None

    @property
    def container_kind(self) -> str:
        """The kind of container that the name stands for, if it does for one."""
        for step in self.back():
            if step.container and step.name == self.name:
                kind = step.container
                if step.parent is None or step.parent.name != self.name:
                    return kind
        return self.container

    def to(self, attribute: str, owners: tuple[str, ...]) -> Path:
        """The step to an attribute."""
        label = f"[{attribute}]" if attribute.isdecimal() else f".{attribute}"
        return replace(
            self,
            label=label,
            name=attribute,
            attribute=True,
            owners=owners,
            container="",
            index=False,
            steps=self.steps + 1,
            parent=self,
        )

    def element(self, label: str, *, index: bool) -> Path:
        """The step into a container."""
        return replace(
            self, label=label, container="", index=index, steps=self.steps + 1, parent=self
        )

    def within(self, via: str = "") -> Path:
        """A step that no user would write: the thing lies behind the same expression."""
        return replace(
            self,
            label="",
            container="",
            index=True,
            via=via or self.via,
            steps=self.steps + 1,
            parent=self,
        )
