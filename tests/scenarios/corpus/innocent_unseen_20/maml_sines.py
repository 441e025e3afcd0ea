# gradwatch-corpus: kind=none
"""Second-order MAML on sinusoids with functional_call; inner steps keep their graph, the outer loss goes through them once."""
import math
from itertools import islice

import torch
import torch.nn as nn
from torch.func import functional_call

torch.manual_seed(4)


class Adapted:
    """A set of fast weights. `w - lr * g` gives the next one."""

    def __init__(self, tensors):
        self.tensors = dict(tensors)

    def __sub__(self, update):
        return Adapted((k, v - update[k]) for k, v in self.tensors.items())

    def gradient(self, loss, lr, create_graph):
        grads = torch.autograd.grad(loss, list(self.tensors.values()), create_graph=create_graph)
        return {k: lr * g for k, g in zip(self.tensors, grads)}


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
        self.inner_lr = 0.05

    def forward(self, x):
        return self.net(x)

    def run(self, fast, x):
        return functional_call(self, fast.tensors, (x,))

    def adapt(self, support, steps=2, second_order=True):
        x, y = support
        fast = Adapted(self.named_parameters())
        for _ in range(steps):
            loss = (self.run(fast, x) - y).square().mean()
            fast = fast - fast.gradient(loss, self.inner_lr, create_graph=second_order)
        return fast


def tasks(gen):
    def draw(n, amp, phase):
        x = 10 * torch.rand(n, 1, generator=gen) - 5
        return x, amp * torch.sin(x + phase)

    while True:
        amp, phase = torch.rand(2, generator=gen).tolist()
        amp, phase = 0.5 + 2 * amp, math.pi * phase
        yield draw(10, amp, phase), draw(10, amp, phase)


def outer_loss(learner, episode):
    losses = []
    for support, (xq, yq) in episode:
        fast = learner.adapt(support)
        losses.append((learner.run(fast, xq) - yq).square().mean())
    return torch.stack(losses).mean(), [l.item() for l in losses]


def evaluate(learner, episode):
    total = 0.0
    for support, (xq, yq) in episode:
        fast = learner.adapt(support, steps=3, second_order=False)
        with torch.no_grad():
            total += (learner.run(fast, xq) - yq).square().mean().item()
    return total / len(episode)


def main(iterations=200, tasks_per_step=2):
    learner = Learner()
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    stream = tasks(torch.Generator().manual_seed(40))
    held_out = list(islice(stream, 6))
    spread = []
    for it in range(iterations):
        episode = list(islice(stream, tasks_per_step))
        opt.zero_grad()
        meta, each = outer_loss(learner, episode)
        meta.backward()
        opt.step()
        spread.append(max(each) - min(each))
        if (it + 1) % 50 == 0:
            print(f"{it + 1}: meta {meta.item():.3f}  spread {sum(spread[-50:]) / 50:.3f}  "
                  f"held out {evaluate(learner, held_out):.3f}")


if __name__ == "__main__":
    main()
