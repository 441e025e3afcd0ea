"""What advice needs to know of a thing that keeps a graph. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from gradwatch_agent.source.stored.defaults import Default
from gradwatch_agent.source.stored.stores import Place, Store

_KEYED = frozenset(("dict", "defaultdict", "OrderedDict"))


@dataclass(frozen=True, slots=True)
class Kept:
    """The thing, and the way from it to a tensor in it."""

    expression: str
    name: str = ""
    """The last variable or attribute of the expression."""
    kinds: tuple[str, ...] = ()
    """The containers on that way, the thing itself first: ("list", "tuple")."""
    labels: tuple[str, ...] = ()
    """The steps of that way, as code: ("[3]", ".loss"); of a record's field, "[1:loss]"."""
    parts: tuple[str, ...] = ()
    """Its attributes that keep graphs, where they are several: (".mean", ".spread")."""
    collections: tuple[tuple[str, str], ...] = ()
    """Those of them that are collections of such, each with its kind."""
    beside: tuple[str, ...] = ()
    """The last of the labels, and those beside it that lead to other graphs."""
    within: str = ""
    """The one step, as code, to the part of it in which all lies that carries graphs."""
    within_beside: tuple[tuple[str, str], ...] = ()
    """The attributes beside it that are dicts or lists of such, each with its kind."""
    keys: tuple[str, ...] = ()
    """Of a container, the elements that keep as much as another: ("['style']", "['content']")."""
    own_keys: tuple[str, ...] = ()
    """The keys that the expression itself ends with: of `log['loss']` the one."""
    mixed: bool = False
    """Whether plain numbers lie beside the tensor, in collections of many."""
    mixed_there: bool = False
    """The same of what lies in other records where the tensor does, under the same key."""
    gaps: bool = False
    """Whether None lies there, in collections of many."""
    partly: bool = False
    """Whether it is a tuple of which some is no tensor."""
    unlike: bool = False
    """Whether of what lies in it some is a collection, and some is not, or another one."""
    left: bool = False
    """Whether it is the one list of a dict that nobody empties, beside others that are."""
    scalar: bool = False
    """Whether the tensor is a single number, and may become a plain one."""
    single: bool = False
    """Whether it is one, though it may have to stay a tensor."""
    weight_bytes: int = 0
    """What it keeps in memory itself, whatever its graph does."""
    leaf: bool = False
    """Whether it is made a leaf somewhere: gradients with respect to it are asked for."""
    lone: bool = False
    """Whether a loss trains by its graph and by nothing else."""
    renewed: bool = False
    """Whether a loss reaches all that lies in it, what the same iteration has put there too."""
    needed: bool = False
    """Whether some weights learn by what is old alone: cut, it teaches them nothing."""
    sole: bool = False
    """Whether a loss trains by this and others that are carried over, and by nothing else."""
    only: bool = False
    """Whether some weights are trained by what lies in it alone."""
    through: bool = False
    """Whether a loss goes through what the same iteration has put there or beside it."""

    @property
    def alone_teaches(self) -> bool:
        """Whether the loss, or some weights, would learn nothing by it without its graph."""
        return self.sole or self.needed

    @property
    def is_object(self) -> bool:
        """Whether it is an object, kept under one name while its attributes come and go."""
        return not self.kinds and self.by_attributes

    @property
    def by_attributes(self) -> bool:
        """Whether it is an object, whatever lies in its attributes."""
        return bool(self.labels) and self.labels[0].startswith(".")

    @property
    def keyed(self) -> int:
        """How many dicts lead on from it, before anything that has an `append` of its own."""
        return len(list(itertools.takewhile(_KEYED.__contains__, self.kinds)))

    @property
    def field(self) -> str | None:
        """Of a record, the one field with a container in it that keeps graphs."""
        fields = self._fields(self.labels[:1])
        return fields[0] if fields and len(self.kinds) > 1 else None

    @property
    def fields(self) -> list[str]:
        """Of a record, those fields that are tensors with a graph."""
        alone = len(self.kinds) == len(self.labels) == 1
        return self._fields(sorted({*self.labels, *self.beside})) if alone else []

    @property
    def fields_beside(self) -> list[str]:
        """Of a record, the fields beside that one that are tensors with a graph themselves."""
        return [each for each in self._fields(self.beside) if each != self.field]

    @property
    def deep_beside(self) -> bool:
        """Of a record, whether some fields are tensors with a graph, and another has such in it."""
        return bool(self.fields) and len(self._fields(self.beside)) < len(self.beside)

    @staticmethod
    def _fields(labels: Iterable[str]) -> list[str]:
        found = (re.match(r"\[\d+:(\w+)\]$", label) for label in labels)
        return [each[1] for each in found if each]

    made_of: tuple[str, ...] = ()
    """Of a distribution that it is, or whose attribute: the parameters that it was made of."""
    parameter: bool = False
    """Whether it is one by its class, changed in place: nothing else can take its place."""
    frozen: bool = False
    """Whether it is an attribute that cannot be given anything: of a frozen dataclass."""
    once: bool = False
    """Whether it is stored ahead of training alone."""
    deeper: bool = False
    """Whether what its statement was given has a graph of its own."""
    constant: str = ""
    """Why the loss needs no gradient of it, in words, if that is known."""
    taught: bool = False
    """Whether weights have made its successor of it, by the statement that reads it."""
    freed: bool = False
    """Whether an earlier backward has freed it, and this one must fail."""
    late: bool = False
    """Whether it was noticed well after training had begun: there may have been none before."""
    in_loop: bool = False
    """Whether the expression says it in the function that goes from one iteration to the next."""
    elsewhere: str = ""
    """Whose variable it is, "function" or "module", where that one can give it nothing."""
    empty: bool = False
    """Whether it is None, or a plain number, to begin with: neither can be detached."""
    via: str = ""
    """How the graph is kept, where it is by more than the name."""
    closed: str = ""
    """The variable that a function closes over, or has a default for, where that function is what
    is kept."""
    default: Default | None = None
    """Where it has the default, if the source tells."""
    hidden: bool = False
    """Whether, from an element on, a step is none that a user could write."""
    wraps: bool = False
    """Whether it is no tensor, and no step that a user could write leads on to one: a partial."""
    of_one: bool = False
    """Whether it has but one thing in it, which is what a call gives it: a context's variable."""
    behind: bool = False
    """Whether it is not the thing itself that keeps the graph, but something behind it."""
    caught: tuple[str, ...] = ()
    """Where that is a traceback, the part of the way that leads to the exception."""
    raised: bool = False
    """Whether it lies in an attribute of an exception."""
    own_class: bool = False
    """Whether it is a container of a class of the user's own: no plain one can take its place."""
    files: tuple[str, ...] = ()
    """The user's own, whose source may be read."""
    maker: str = ""
    """The assignment that made the tensor, as code, if it is known."""
    made_as: frozenset[Place] = frozenset()
    """The variables that were given the tensor where it was made."""
    stores: tuple[Store, ...] = ()
    """The statements that may store into it."""
