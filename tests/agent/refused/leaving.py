"""Into an array, a copy, a flag: what cannot take a graph along."""

from __future__ import annotations

import copy

import numpy as np
import torch

from .common import batches, net, train


def to_numpy():
    """given | replaced"""
    model, kept = net(), []
    for batch in batches():
        given = train(model, batch)
        kept.append(given.numpy())  # <-


def to_numpy_by_way_of_the_host():
    """model(batch) | replaced"""
    model = net()
    for batch in batches():
        values = model(batch).squeeze(-1).cpu().numpy()  # <-
        assert values.shape == (16,)


def as_an_array():
    """given | replaced"""
    model = net()
    for batch in batches():
        given = train(model, batch)
        assert np.asarray(given).shape == (16, 1)  # <-


def mean_of_a_list():
    """losses | replaced"""
    model, losses = net(), []
    for batch in batches():
        given = train(model, batch)
        losses.append(given.mean())
    assert np.mean(losses) < 100  # <-


def copies_a_result():
    """given | replaced"""
    model = net()
    for batch in batches():
        given = train(model, batch)
        last = copy.deepcopy(given)  # <-
        assert last.shape == (16, 1)


def copies_what_is_written_out():
    """given | replaced"""
    model, kept = net(), []
    for batch in batches():
        given = train(model, batch)
        kept.append(copy.deepcopy({"given": given, "step": 1}))  # <-


def copies_a_model_that_remembers():
    """model.memory['last'] | before"""
    model = net()
    model.memory = {}
    for batch in batches():
        model.memory["last"] = train(model, batch)
        best = copy.deepcopy(model)  # <-
        assert best is not model


def unflags_a_result():
    """given | replaced"""
    model = net()
    for batch in batches():
        given = train(model, batch)
        given.requires_grad = False  # <-


def unflags_a_result_by_a_method():
    """given | replaced"""
    model = net()
    for batch in batches():
        given = train(model, batch)
        given.requires_grad_(False)  # <-


def trains_on_what_inference_made():
    """features | replaced"""
    model = net()
    for batch in batches():
        with torch.inference_mode():
            features = torch.tanh(batch)
        loss = model(features).pow(2).mean()  # <-
        loss.backward()


def into_an_array():
    """given.abs() + 0.001 | replaced"""
    model, priorities = net(), np.zeros((20, 1))
    for batch in batches():
        given = train(model, batch)
        priorities[:16] = given.abs() + 0.001  # <-


def mean_of_a_lists_end():
    """losses[-2:] | replaced"""
    model, losses = net(), []
    for batch in batches():
        given = train(model, batch)
        losses.append(given.mean())
    assert np.mean(losses[-2:]) < 100  # <-
