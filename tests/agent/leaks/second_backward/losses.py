"""Several losses or batches of one graph, or one loss again: each walked by itself."""

from __future__ import annotations

import asyncio
import gc

import torch
from torch import nn

from ..common import STEPS, actor, sgd_of


def by_a_second_pass_when_the_first_ones_gradients_are_gone():
    """second-backward | score | before"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        score = model(x)
        score.pow(2).mean().backward()
        optimizer.zero_grad()
        score.pow(2).mean().backward()  # <-
        optimizer.step()


def by_a_loss_that_is_walked_again_elsewhere():
    """second-backward | loss | before"""
    model, optimizer = actor()
    for _ in range(STEPS):
        states = torch.randn(4, 3)
        loss = model(states).pow(2).mean()
        loss.backward()
        model[0].weight.data.add_(0.01 * model[0].weight.grad)
        optimizer.zero_grad()
        loss.backward()  # <-
        optimizer.step()


def by_a_total_of_parts_that_is_walked_twice():
    """second-backward | total | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        parts = model(torch.randn(8, 4)).pow(2)
        total = parts.mean() + 0.1 * parts.amax()
        optimizer.zero_grad()
        total.backward()
        total.backward()  # <-
        optimizer.step()


def by_a_list_of_losses_that_is_backwarded_in_each_round():
    """second-backward | rounds | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        rounds = torch.zeros(())
        optimizer.zero_grad()
        for _ in range(3):
            rounds = rounds + model(torch.randn(8, 4)).tanh().pow(2).mean()
            rounds.backward()  # <-
        optimizer.step()


def by_one_loss_whose_gradients_are_read_and_cleared():
    """second-backward | codes | words"""
    gc.collect()  # another job's optimizer, with gradients that wait, is none of this one's
    torch.manual_seed(0)
    encoder, head = nn.Sequential(nn.Linear(4, 2), nn.Tanh()), nn.Linear(2, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)
    for _ in range(STEPS):
        codes = encoder(torch.randn(8, 4))
        of_size, of_sign = codes.pow(2).mean(), head(codes).mean()
        of_size.backward()
        optimizer.zero_grad()
        of_sign.backward()  # <-
        optimizer.step()


def by_a_code_that_both_losses_train():
    """second-backward | code | words"""
    encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
    encoder_steps, decoder_steps = sgd_of(encoder), sgd_of(decoder)
    for _ in range(STEPS):
        given = torch.randn(8, 4)
        code = encoder(given).tanh()
        likeness = (decoder(code) - given).pow(2).mean()
        size = code.pow(2).mean()
        encoder_steps.zero_grad()
        decoder_steps.zero_grad()
        likeness.backward()
        size.backward()  # <-
        encoder_steps.step()
        decoder_steps.step()


def by_a_loss_of_several_that_has_gone():
    """second-backward | loss | words"""
    torch.manual_seed(0)
    trunk, heads = nn.Linear(4, 3), [nn.Linear(3, 1), nn.Linear(3, 1)]

    def losses():
        shared = trunk(torch.randn(8, 4)).relu()
        return [head(shared).pow(2).mean() for head in heads]

    for loss in losses():
        loss.backward()  # <-


def stepping(optimizer, policy_loss, value_loss):
    optimizer.zero_grad()
    policy_loss.backward()
    value_loss.backward()  # <- and not by what the caller calls it
    optimizer.step()


def by_a_loss_that_goes_by_another_name_outside():
    """second-backward | value_loss | words"""
    torch.manual_seed(0)
    trunk, heads = nn.Linear(4, 4), nn.Linear(4, 2)
    optimizer = torch.optim.SGD([*trunk.parameters(), *heads.parameters()], 0.01)
    for _ in range(STEPS):
        p, v = heads(trunk(torch.randn(8, 4)).tanh()).unbind(1)
        p, v = p.exp().mean(), v.pow(2).mean()
        stepping(optimizer, p, v)


def by_an_embedding_made_once_for_all_batches():
    """second-backward | embedding | words"""
    encoder, decoder = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], 0.01)
    for _ in range(STEPS):
        embedding = encoder(torch.randn(16, 4)).tanh()  # <-
        for batch in torch.arange(16).split(4):
            loss = decoder(embedding[batch]).pow(2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def by_rows_of_what_was_encoded_at_once():
    """second-backward | row | words"""
    encoder, layer = nn.Linear(4, 4), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*encoder.parameters(), *layer.parameters()], 0.01)
    rows = encoder(torch.randn(STEPS, 4)).tanh()
    for row, _ in zip(rows, range(STEPS), strict=True):  # <-
        optimizer.zero_grad()
        layer(row).sum().backward()
        optimizer.step()


async def by_halves(layer):
    """What is encoded once is handed out in parts."""
    for number in range(STEPS):
        await asyncio.sleep(0)
        encoded = layer(torch.randn(4, 4))  # <- second-backward
        for first in range(0, 2 if number < 9 else 4, 2):
            yield encoded[first : first + 2]


async def trained_by_halves():
    layer = nn.Linear(4, 4)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    async for part in by_halves(layer):
        optimizer.zero_grad()
        part.exp().sum().backward()
        optimizer.step()


def by_a_generator_that_is_awaited():
    """second-backward | encoded | words"""
    asyncio.run(trained_by_halves())


def by_a_list_of_losses_that_is_walked_in_every_fourth_iteration():
    """second-backward | waiting | words"""
    model = nn.Linear(4, 1)
    optimizer, waiting = sgd_of(model), []
    for step in range(STEPS):
        waiting.append(model(torch.randn(8, 4)).tanh().pow(2).mean())  # <-
        if step % 4 == 3:
            optimizer.zero_grad()
            for loss in waiting:
                loss.backward()
            optimizer.step()


class Bus:
    def __init__(self):
        self.handlers, self.queue = [], []

    def post(self, kind, what):
        self.queue.append({"kind": kind, "what": what})  # <- by the records of a bus

    def deliver(self):
        for event in self.queue:
            for handler in self.handlers:
                handler(event["what"])


def by_the_records_of_a_bus_that_are_delivered_again():
    """second-backward | bus.queue | words"""
    model, bus = nn.Linear(4, 1), Bus()
    optimizer = sgd_of(model)

    def train(loss):
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    bus.handlers.append(train)
    for step in range(STEPS):
        bus.post("loss", model(torch.randn(8, 4)).tanh().pow(2).mean())
        if step % 3 == 2:
            bus.deliver()


def by_a_trunk_that_only_the_generator_of_losses_names():
    """second-backward | seen | words"""
    torch.manual_seed(0)
    trunk, heads = nn.Linear(3, 4), nn.ModuleList([nn.Linear(4, 1), nn.Linear(4, 2)])
    optimizer = sgd_of(nn.ModuleList([trunk, heads]))

    def losses():
        seen = trunk(torch.randn(8, 3)).tanh()
        for head in heads:
            yield head(seen).pow(2).mean()

    for _ in range(STEPS):
        optimizer.zero_grad()
        for loss in losses():
            loss.backward()  # <-
        optimizer.step()


class Likeness:
    """The looks of what is to be resembled, by the measure that the loss is made with."""

    def __init__(self, measure, model):
        self.measure = measure
        self.looks = measure(model)  # <- for a likeness

    def distance(self, picture):
        return (self.measure(picture) - self.looks).pow(2).mean()


def by_looks_that_were_measured_ahead_of_training():
    """second-backward | likeness.looks | words"""
    torch.manual_seed(0)
    eye, image = nn.Sequential(nn.Linear(4, 3), nn.Tanh()), torch.rand(8, 4, requires_grad=True)
    optimizer = torch.optim.Adam([image], 0.01)

    def measure(picture):
        seen = eye(picture)
        return (seen.t() @ seen).div(8)

    def resemble(model):
        likeness = Likeness(measure, model)
        for _ in range(STEPS):
            optimizer.zero_grad()
            loss = likeness.distance(image)
            loss.backward()
            optimizer.step()

    resemble(torch.rand(8, 4))


def through_a_trunk_by_two_functions_that_each_walk_a_loss():
    """second-backward | trunk | words"""
    torch.manual_seed(0)
    body, near, far = nn.Linear(4, 4), nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD([*body.parameters(), *near.parameters(), *far.parameters()], 0.01)

    def measures(trunk):
        error = near(trunk).pow(2).mean()
        error.backward()  # <-

    def estimates(trunk):
        error = far(trunk).pow(2).mean()
        error.backward()

    for number in range(STEPS):
        optimizer.zero_grad()
        trunk = body(torch.randn(8, 4)).tanh()
        measures(trunk)
        if number % 5 == 4:
            estimates(trunk)
        optimizer.step()


def norm_of(parameters):
    return sum(each.grad.norm().item() for each in parameters if each.grad is not None)


def by_losses_whose_gradients_are_read_one_by_one():
    """second-backward | shared | replaced"""
    torch.manual_seed(0)
    trunk, one, other = nn.Linear(4, 3), nn.Linear(3, 1), nn.Linear(3, 1)
    optimizer = torch.optim.SGD([*trunk.parameters(), *one.parameters(), *other.parameters()], 0.01)
    norms = []
    for _ in range(3):
        shared = trunk(torch.randn(8, 4)).tanh()
        first, second = one(shared).pow(2).mean(), other(shared).pow(2).mean()
        optimizer.zero_grad()
        first.backward()  # <-
        norms.append(norm_of(trunk.parameters()))
        second.backward()
        optimizer.step()


def by_a_penalty_that_is_built_once():
    """second-backward | penalty | words"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    penalty = sum(weight.pow(2).sum() for weight in model.parameters())  # <-
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        penalty.backward()
        optimizer.step()


def by_a_body_that_two_optimizers_step():
    """second-backward | seen | words"""
    torch.manual_seed(0)
    body, first, second = nn.Linear(4, 3), nn.Linear(3, 1), nn.Linear(3, 1)
    one, other = (
        torch.optim.SGD([*body.parameters(), *head.parameters()], 0.01) for head in (first, second)
    )
    for _ in range(3):
        seen = body(torch.randn(8, 4)).tanh()
        one.zero_grad()
        first(seen).pow(2).mean().backward()
        one.step()
        loss = second(seen).pow(2).mean()
        other.zero_grad()
        loss.backward()  # <-
        other.step()


def by_a_sum_over_small_batches_that_goes_on():
    """second-backward | total | words"""
    model, optimizer = actor()
    total = 0.0
    for number in range(STEPS):
        total = total + model(torch.randn(4, 3)).pow(2).mean()  # <-
        if (number + 1) % 4 == 0:
            optimizer.zero_grad()
            total.backward()
            optimizer.step()


def _smoothed(model, optimizer, x, logits):
    nudge = torch.randn_like(x, requires_grad=True)
    near = model(x + nudge)
    apart = (near - logits).pow(2).mean()  # <- second-backward, whose gradients are cleared
    apart.backward()
    optimizer.zero_grad()
    return (model(x + nudge.grad) - logits.detach()).pow(2).mean()


def by_an_inner_loss_whose_gradients_are_cleared():
    """second-backward | logits | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 2))
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        logits = model(x)
        loss = logits.pow(2).mean() + _smoothed(model, optimizer, x, logits)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_part_of_what_the_encoder_was_trained_by():
    """second-backward | likeness | before"""
    torch.manual_seed(0)
    encoder, decoder = nn.Linear(4, 2), nn.Linear(2, 4)
    encoder_steps, decoder_steps = sgd_of(encoder), sgd_of(decoder)
    for _ in range(STEPS):
        given = torch.randn(8, 4)
        code = encoder(given).tanh()
        likeness = (decoder(code) - given).pow(2).mean()
        whole = likeness + code.pow(2).mean()
        encoder_steps.zero_grad()
        whole.backward()
        encoder_steps.step()
        decoder_steps.zero_grad()
        likeness.backward()  # <-
        decoder_steps.step()


def by_a_loss_that_goes_into_the_next_one_too():
    """second-backward | guessed | words"""
    torch.manual_seed(0)
    body, head, teller = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 1)
    whole, of_teller = sgd_of(nn.ModuleList([body, head])), sgd_of(teller)
    for _ in range(STEPS):
        z = torch.tanh(body(torch.randn(8, 4)))
        guessed = teller(z).pow(2).mean()
        loss = head(z).pow(2).mean() - 0.1 * guessed
        of_teller.zero_grad()
        guessed.backward()
        of_teller.step()
        whole.zero_grad()
        loss.backward()  # <-
        whole.step()


class Conserved:
    def __init__(self, net, every):
        self.net = net
        self.every = every
        self.kept = torch.zeros(())

    def along(self, state):
        energies = []
        for _ in range(4):
            energies.append(self.net(state))
            state = state + 0.1
        return torch.stack(energies).var(dim=0).mean()

    def __call__(self, number, state):
        due = number % self.every == 0
        if due:
            self.kept = self.along(state)  # <-
        return self.kept


def by_a_penalty_that_is_computed_now_and_then():
    """second-backward | penalty.kept | words"""
    net = nn.Linear(3, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    penalty = Conserved(net, 4)
    for number in range(STEPS):
        states = torch.randn(8, 3)
        loss = net(states).pow(2).mean() + penalty(number, states)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
