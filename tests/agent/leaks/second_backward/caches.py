"""What is remembered by descriptors, decorators, functools and parametrizations."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.utils import parametrize

from ..common import STEPS


class Sample:
    def __init__(self, encoder):
        self.encoder, self.spectra = encoder, torch.randn(8, 4)

    @functools.cached_property
    def embedded(self):
        return self.encoder(self.spectra).relu()


def by_what_an_iteration_itself_has_remembered():
    """second-backward | sample.embedded | words"""
    torch.manual_seed(0)
    encoder, heads = nn.Linear(4, 3), [nn.Linear(3, 2), nn.Linear(3, 1)]
    optimizer = torch.optim.SGD(encoder.parameters(), 0.01)

    def learn(head, sample):
        loss = head(sample.embedded).pow(2).mean()
        loss.backward()  # <-

    for number in range(9):
        sample = Sample(encoder)
        optimizer.zero_grad()
        for head in heads[: 1 + number // 6]:
            learn(head, sample)
        optimizer.step()


class Lately:
    """An attribute that is computed once, by hand."""

    def __init__(self, compute):
        self.compute = compute

    def __set_name__(self, owner, name):
        self.called = name

    def __get__(self, owner, kind=None):
        computed = self.compute(owner)
        owner.__dict__[self.called] = computed
        return computed


class Mesh(nn.Module):
    def __init__(self):
        super().__init__()
        self.stiffness = nn.Parameter(torch.zeros(4))

    @Lately
    def spread(self):
        return self.stiffness.exp().diag()


def by_a_descriptor_that_remembers():
    mesh = Mesh()
    optimizer = torch.optim.SGD(mesh.parameters(), 0.01)
    for _ in range(STEPS):
        loss = (torch.randn(8, 4) @ mesh.spread).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def once_a_round(method):
    slot = method.__name__

    def remembered(self):
        slots = self.__dict__.setdefault("_worked_out", {})
        if slot not in slots:
            slots[slot] = method(self)  # <- by what it remembers in its owner's dict
        return slots[slot]

    return remembered


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(6, 4))

    @once_a_round
    def unit_rows(self):
        return self.rows / self.rows.norm(dim=-1, keepdim=True)


def by_a_memory_in_the_dict_of_its_owner():
    """second-backward | - | words"""
    table = Lookup()
    optimizer = torch.optim.SGD(table.parameters(), 0.01)
    for _ in range(STEPS):
        loss = (torch.randn(8, 4) @ table.unit_rows().t()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Deck(nn.Module):
    def __init__(self):
        super().__init__()
        self.faces = nn.Parameter(torch.randn(3, 4))
        self.face_of = functools.lru_cache(maxsize=64)(self.worked_out)  # <- by a call

    def worked_out(self, card):
        return self.faces[card].exp()


def by_a_cache_that_a_call_makes():
    deck = Deck()
    optimizer = torch.optim.SGD(deck.parameters(), 0.01)
    for number in range(STEPS):
        loss = deck.face_of(number % 3).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Symmetric(nn.Module):
    def forward(self, raw):
        return raw @ raw.t()


def measured(layer):
    with torch.no_grad(), parametrize.cached():  # nothing is walked here
        return layer(torch.ones(8, 4)).sum().item()


def by_the_cache_of_parametrizations():
    """second-backward | parametrize._cache | words"""
    layer = parametrize.register_parametrization(nn.Linear(4, 4), "weight", Symmetric())
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    with parametrize.cached():  # <-
        for _ in range(STEPS):
            loss = layer(torch.randn(8, 4)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    measured(layer)


@contextlib.contextmanager
def fast_weights():
    with parametrize.cached():  # <- by a context manager
        yield


def by_the_cache_that_a_context_manager_enters():
    layer = parametrize.register_parametrization(nn.Linear(4, 4), "weight", Symmetric())
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    with fast_weights():
        for _ in range(STEPS):
            loss = layer(torch.randn(8, 4)).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_a_table_that_is_refreshed_now_and_then():
    """second-backward | model.table | words"""

    class Refreshed(nn.Module):
        def __init__(self):
            super().__init__()
            self.raw = nn.Linear(4, 4)
            self.calls, self.table = 0, None

        def forward(self, x):
            if self.calls % 4 == 0:
                squashed = torch.tanh(self.raw.weight)
                self.table = squashed * 2  # <- every so many calls
            self.calls += 1
            return self.raw.bias + x @ self.table

    model = Refreshed()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def bounding(state):
    def before(layer, _):
        if state["calls"] % 4 == 0:
            state["weight"] = layer.raw / layer.raw.norm()  # <- what a hook gives its layer
        state["calls"] += 1
        layer.weight = state["weight"]

    return before


def by_what_a_hook_gives_its_layer():
    """second-backward | state['weight'] | words"""
    layer = nn.Linear(4, 4)
    layer.raw = nn.Parameter(layer.weight.detach().clone())
    del layer.weight
    layer.register_forward_pre_hook(bounding({"calls": 0, "weight": None}))
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    for _ in range(STEPS):
        loss = layer(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Style(nn.Module):
    def __init__(self, seen):
        super().__init__()
        self.wanted = seen.mean(0)

    def forward(self, seen):
        return (seen.mean(0) - self.wanted).pow(2).sum()


def by_modules_of_a_list_that_remember_what_was_wanted():
    """second-backward | styles | words"""
    backbone, image = nn.Linear(4, 3), torch.randn(5, 4, requires_grad=True)
    optimizer = torch.optim.SGD([image], 0.01)
    styles = [Style(seen) for seen in backbone(torch.randn(2, 5, 4)).tanh()]  # <- second-backward
    for _ in range(STEPS):
        loss = sum(style(backbone(image)) for style in styles)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Generated:
    def __init__(self):
        self.code = nn.Parameter(torch.randn(4))
        self.generate, self.count, self.weights = nn.Linear(4, 8), 0, None

    def made(self):
        parts = self.generate(self.code)
        return {"weight": parts[:6].view(2, 3), "bias": parts[6:]}

    def step(self, x):
        if self.count % 5 == 0:
            self.weights = self.made()  # <- second-backward of what is generated now and then
        self.count += 1
        return nn.functional.linear(x, **self.weights)


def by_weights_that_are_generated_now_and_then():
    """second-backward | generated.weights | words"""
    torch.manual_seed(0)
    generated = Generated()
    optimizer = torch.optim.SGD(generated.generate.parameters(), 0.01)
    for _ in range(STEPS):
        loss = generated.step(torch.randn(8, 3)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Described(nn.Module):
    def __init__(self):
        super().__init__()
        self.describe, self.look, self.described = nn.Linear(3, 4), nn.Linear(3, 4), None

    def refresh(self, words):
        self.described = torch.tanh(self.describe(words))  # <- second-backward of an epoch's own

    def forward(self, x):
        return self.look(x) @ self.described.T


def by_what_a_method_makes_once_an_epoch():
    """second-backward | matcher.described | words"""
    torch.manual_seed(0)
    matcher, words = Described(), torch.randn(5, 3)
    optimizer = torch.optim.SGD(matcher.parameters(), 0.01)
    for _ in range(3):
        matcher.refresh(words)
        for _ in range(STEPS):
            loss = matcher(torch.randn(8, 3)).square().mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def keeping(attribute):
    """By a name that is known only as the method is decorated."""

    def decorate(method):
        @functools.wraps(method)
        def wrapper(self, number, *inputs):
            kept = self.__dict__.setdefault(attribute, {})
            if number not in kept:
                kept[number] = method(self, *inputs)  # <- by_a_dict_of_a_made_up_name
            return kept[number]

        return wrapper

    return decorate


def keeping_by_hand(attribute):
    """The same, asked for and made step by step."""

    def decorate(method):
        @functools.wraps(method)
        def wrapper(self, number, *inputs):
            found = getattr(self, attribute, None)
            if found is None:
                found = {}
                setattr(self, attribute, found)
            if number not in found:
                found[number] = method(self, *inputs)  # <- by_one_that_is_filled_later
            return found[number]

        return wrapper

    return decorate


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Linear(4, 3)

    @keeping("_propagated")
    def propagate(self, nodes):
        return self.embedding(nodes).relu()


class GraphByHand(Graph):
    @keeping_by_hand("_handed_around")
    def propagate(self, nodes):
        return self.embedding(nodes).relu()


def _train(graph):
    nodes = torch.randn(6, 4)
    optimizer = torch.optim.SGD(graph.parameters(), 0.01)
    for number in range(12):
        optimizer.zero_grad()
        graph.propagate(number // 3, nodes).square().mean().backward()
        optimizer.step()


def by_a_dict_of_a_made_up_name():
    """second-backward | graph._propagated | words"""
    torch.manual_seed(0)
    _train(Graph())


def by_one_that_is_filled_later():
    """second-backward | graph._handed_around | words"""
    torch.manual_seed(0)
    _train(GraphByHand())


@dataclass(eq=False)
class Convolution(nn.Module):
    """A module that is put together once its fields are there."""

    width: int = 4

    def __post_init__(self):
        super().__init__()
        self.edges = nn.Parameter(torch.rand(self.width, self.width))
        self.adjacent = torch.softmax(self.edges, 1)  # <- by_what_is_made_after_the_fields


def by_what_is_made_after_the_fields():
    """second-backward | graph_conv.adjacent | words"""
    torch.manual_seed(0)
    graph_conv = Convolution()
    optimizer = torch.optim.SGD(graph_conv.parameters(), 0.01)
    for _ in range(9):
        optimizer.zero_grad()
        (graph_conv.adjacent @ torch.randn(4, 3)).square().mean().backward()
        optimizer.step()


class Factors:
    """Weights whose product is worked out once, when it is told to."""

    def __init__(self):
        self.outer = nn.Parameter(torch.randn(4, 2))
        self.inner = nn.Parameter(torch.randn(2, 1))

    def prepare(self):
        self.multiplied = self.outer @ self.inner  # <- by_a_product_that_is_prepared
        return self


def by_a_product_that_is_prepared():
    """second-backward | factors.multiplied | words"""
    torch.manual_seed(0)
    factors, offset = Factors().prepare(), nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([factors.outer, factors.inner, offset], 0.01)
    for _ in range(9):
        optimizer.zero_grad()
        (torch.randn(8, 4) @ factors.multiplied + offset).square().mean().backward()
        optimizer.step()


def memoizing(function):
    """A cache that nobody has by a name but the function within."""
    answers = {}

    def asked(*wanted):
        if wanted not in answers:
            answers[wanted] = function(*wanted)  # <- by_a_cache_within_a_decorator
        return answers[wanted]

    return asked


def by_a_cache_within_a_decorator():
    """second-backward | answers | words"""
    torch.manual_seed(0)
    rates, model = nn.Parameter(torch.rand(4)), nn.Linear(4, 4)

    @memoizing
    def waves(count):
        return torch.sin(torch.linspace(0, 1, count)[:, None] * rates)

    optimizer = torch.optim.SGD([rates, *model.parameters()], 0.01)
    for _ in range(9):
        optimizer.zero_grad()
        (model(torch.randn(8, 4)) * waves(8)).square().mean().backward()
        optimizer.step()


_PROTOTYPES = None


def by_a_global_that_is_made_when_it_is_asked_for():
    """second-backward | _PROTOTYPES | words"""
    global _PROTOTYPES
    _PROTOTYPES = None
    torch.manual_seed(0)
    words, seen = nn.Embedding(5, 3), nn.Linear(4, 3)

    def prototypes():
        global _PROTOTYPES
        if _PROTOTYPES is None:
            _PROTOTYPES = words(torch.arange(5)).tanh()  # <-
        return _PROTOTYPES

    optimizer = torch.optim.SGD([*words.parameters(), *seen.parameters()], 0.01)
    for _ in range(9):
        optimizer.zero_grad()
        (seen(torch.randn(8, 4)) @ prototypes().t()).square().mean().backward()
        optimizer.step()


def _fours(features, targets):
    while True:
        for first in range(0, len(features), 4):
            yield features[first : first + 4], targets[first : first + 4]


def by_features_that_a_generator_was_given():
    """second-backward | features | words"""
    torch.manual_seed(0)
    encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)
    batches = _fours(torch.tanh(encoder(torch.randn(16, 4))), torch.randn(16, 1))  # <-
    for _ in range(STEPS):
        features, wanted = next(batches)
        optimizer.zero_grad()
        (head(features) - wanted).pow(2).mean().backward()
        optimizer.step()


class Encoded:
    def __init__(self, encoder, rows):
        self.rows = []
        for row in rows:
            self.rows.append((torch.tanh(encoder(row)), row.sum()))  # <- second-backward, once

    def some(self, first):
        rows = self.rows[first % 8 : first % 8 + 4]
        return torch.stack([code for code, _ in rows]), torch.stack([sum_ for _, sum_ in rows])


def by_rows_that_were_encoded_ahead():
    """second-backward | encoded.rows | words"""
    torch.manual_seed(0)
    encoder, head = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)
    encoded = Encoded(encoder, torch.randn(16, 4))
    for number in range(STEPS):
        codes, sums = encoded.some(number)
        optimizer.zero_grad()
        (head(codes).flatten() - sums).pow(2).mean().backward()
        optimizer.step()
