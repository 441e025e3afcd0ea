"""Weights and inputs that never had a gradient, or were made anew or replaced without one."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import mse_loss

from .common import data


def weights_by_hand():
    w = torch.randn(4, 1)  # <-
    x, y = data()
    loss = mse_loss(x @ w, y)
    loss.backward()
    w -= 0.1 * w.grad


def weights_for_an_optimizer():
    scale = torch.ones(1)  # <-
    optimizer = torch.optim.SGD([scale], 0.1)
    x, y = data()
    loss = mse_loss(x[:, :1] * scale, y)
    loss.backward()
    optimizer.step()


def steps_by_hand():
    w = torch.randn(4, 1, requires_grad=True)
    for _ in range(3):
        x, y = data()
        loss = mse_loss(x @ w, y)
        loss.backward()
        with torch.no_grad():
            w = w - 0.1 * w.grad  # <-


def an_input_that_wants_none():
    net = nn.Linear(4, 1)
    x, _ = data()
    mixed = 0.5 * x  # <-
    torch.autograd.grad(net(mixed).sum(), mixed, create_graph=True)


def swap_in(module, mean):
    for name, value in mean.items():
        setattr(module, name, nn.Parameter(value, requires_grad=False))  # <- means_put_in


def means_put_in():
    module = nn.Linear(4, 1)
    swap_in(module, {name: p.detach().clone() for name, p in module.named_parameters()})
    x, y = data()
    loss = mse_loss(module(x), y)
    loss.backward()


def pruned(anything):
    for part in anything.children():
        kept = (part.weight.detach() * 0.5).clone()
        part.weight = nn.Parameter(kept, kept.requires_grad)  # <- weights_made_anew


def fitted(model):
    x, y = data()
    loss = mse_loss(model(x), y)
    loss.backward()


def weights_made_anew():
    spotter = nn.Sequential(nn.Linear(4, 1, bias=False))
    pruned(spotter)
    fitted(spotter)


class Clinic:
    def __init__(self):
        self.w = {name: torch.randn(4, 1).requires_grad_() for name in ("a", "b")}

    def receive(self):
        self.w = {name: torch.ones(4, 1) for name in self.w}  # <- weights_that_are_received

    def step(self):
        x, y = data()
        optimizer = torch.optim.SGD(self.w.values(), 0.1)
        loss = mse_loss(x @ self.w["a"] + x @ self.w["b"], y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def weights_that_are_received():
    clinic = Clinic()
    clinic.step()
    clinic.receive()
    clinic.step()


class Perturbed:
    def __init__(self, net):
        self.net = net

    def drawn(self):
        weights = self.net.state_dict()  # <- by_a_state_dict
        return {name: w + 0.1 * torch.randn_like(w) for name, w in weights.items()}

    def __call__(self, x):
        return torch.func.functional_call(self.net, self.drawn(), (x,))


def by_a_state_dict():
    net = nn.Linear(4, 1)
    optimizer, noisy = torch.optim.SGD(net.parameters(), 0.1), Perturbed(net)
    for number in range(4):
        x, y = data()
        forecast = net if number < 2 else noisy
        loss = mse_loss(forecast(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def embedded(table, words):
    return table.weight.data[words]  # <- rows_of_a_table


def rows_of_a_table():
    table, head = nn.Embedding(9, 4), torch.ones(4)
    score = embedded(table, torch.tensor([1, 2])) @ head
    loss = score.sum()
    loss.backward()


class Table(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.Embedding(4, 3)

    def grow(self):
        old = self.rows.weight.data
        self.rows = nn.Embedding.from_pretrained(torch.cat([old, old]))  # <- rows_that_are_read_in

    def forward(self, ids):
        return self.rows(ids)


def rows_that_are_read_in():
    table = Table()
    table.grow()
    loss = table(torch.tensor([1, 5])).pow(2).mean()
    loss.backward()


def in_pieces(net, x):
    result = torch.zeros(len(x), 1)
    for start in range(0, len(x), 2):
        piece = net(x[start : start + 2])
        result.data[start : start + 2] = piece  # <- written_past_the_graph
    return result


def written_past_the_graph():
    net = nn.Linear(4, 1)
    x, y = data()
    loss = mse_loss(in_pieces(net, x), y)
    loss.backward()


class Images(torch.utils.data.Dataset):
    def __init__(self):
        self.images = torch.randn(6, 4, requires_grad=True)

    def __len__(self):
        return len(self.images)

    def __getitem__(self, number):
        return self.images[number].tolist(), number % 2  # <- what_a_dataset_gives


def joined(items):
    images, classes = zip(*items, strict=True)
    return torch.tensor(images), torch.tensor(classes)


def what_a_dataset_gives():
    images, probe = Images(), nn.Linear(4, 1).requires_grad_(False)
    optimizer = torch.optim.SGD([images.images], 0.1)
    loader = torch.utils.data.DataLoader(images, batch_size=3, collate_fn=joined)
    for image, _ in loader:
        optimizer.zero_grad()
        loss = probe(image).pow(2).mean()
        loss.backward()


class Codes(torch.utils.data.Dataset):
    def __init__(self):
        self.codes = nn.Parameter(torch.randn(6, 4))

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, number):
        code = torch.as_tensor(self.codes[number].tolist())  # <- what_a_loader_made_there_gives
        return code, torch.randn(1)


def fit_codes(decoder, codes):
    decoder.requires_grad_(False)
    optimizer = torch.optim.Adam([codes.codes])
    for code, target in torch.utils.data.DataLoader(codes, batch_size=3):
        loss = mse_loss(decoder(code), target) + code.square().mean()
        optimizer.zero_grad()
        loss.backward()


def what_a_loader_made_there_gives():
    decoder = nn.Linear(4, 1)
    print(fit_codes(decoder, Codes()))


SKELETON = nn.Linear(4, 1)
every = torch.func.vmap(
    lambda weights, x: torch.func.functional_call(SKELETON, weights, (x,)), in_dims=(0, None)
)


def stacked(members):
    weights, _ = torch.func.stack_module_state(members)
    return {name: each.detach() for name, each in weights.items()}  # <- an_ensemble_at_once


def an_ensemble_at_once():
    members = [nn.Linear(4, 1) for _ in range(3)]
    optimizer = torch.optim.Adam([each for member in members for each in member.parameters()])
    weights = stacked(members)
    loss = every(weights, torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()


class Ridged:
    """Has a network, and numbers by which its weights are shifted, and what it gives is damped."""

    def __init__(self, net, damping=0.3, shift=0.0):
        self.net, self.damping, self.shift = net, damping, shift

    def shifted(self):
        held = dict(self.net.state_dict())  # <- damped
        if self.shift:
            held = {k: v + self.shift for k, v in held.items()}
        return held

    def loss_of(self, x, y):
        held = self.shifted()
        best = solved(torch.func.functional_call(self.net, held, (x,)), y, self.damping)
        return mse_loss(torch.func.functional_call(self.net, held, (x,)) @ best, y)


def solved(seen, y, damping):
    return torch.linalg.solve(seen.t() @ seen + damping * torch.eye(seen.shape[1]), seen.t() @ y)


def damped():
    net = nn.Linear(4, 1)
    ridged = Ridged(net, shift=0.1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    loss = ridged.loss_of(*data())
    optimizer.zero_grad()
    loss.backward()
