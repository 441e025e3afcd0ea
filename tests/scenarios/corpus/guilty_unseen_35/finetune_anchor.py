# gradwatch-corpus: kind=graph-chain
# holder: anchor[name] | anchor | follow.__closure__ | pull.__closure__ | follow.__closure__[0].cell_contents | pull.__closure__[0].cell_contents | self.hooks["batch_start"] | loop.hooks["batch_start"] | self.hooks | loop.hooks | self.penalties | loop.penalties | follow | pull
# first-bad: 1
"""Fine-tune a small tabular net, held near a slow copy of its own weights."""
from collections import defaultdict
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn, optim

CFG = dict(steps=100, batch=64, lr=0.02, speed=0.05, strength=0.3, features=16, classes=4)


def make_anchor(model, speed):
    """Returns (follow, pull): move the slow weights; penalty for being away from them."""
    anchor = {name: p.detach().clone() for name, p in model.named_parameters()}

    def follow(net):
        for name, p in net.named_parameters():
            anchor[name] = anchor[name].lerp(p, speed)  # <- culprit

    def pull(net):
        gaps = [(p - anchor[name]).pow(2).sum() for name, p in net.named_parameters()]
        return torch.stack(gaps).sum()

    return follow, pull


class Loop:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.hooks = defaultdict(list)
        self.penalties = []

    def on(self, moment, fn):
        self.hooks[moment].append(fn)
        return self

    def fire(self, moment):
        for fn in self.hooks[moment]:
            fn()

    def run(self, batches):
        for step, (x, y) in enumerate(batches):
            self.fire("batch_start")
            logits = self.model(x)
            fit = F.cross_entropy(logits, y)
            loss = fit + sum(weight * penalty(self.model) for weight, penalty in self.penalties)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.fire("batch_end")
            if step % 25 == 0:
                hit = (logits.argmax(1) == y).float().mean().item()
                print(f"step {step:3d}  fit {fit.item():.4f}  loss {loss.item():.4f}  acc {hit:.2f}")


def batches(n, size, features, classes):
    gen = torch.Generator().manual_seed(11)
    centres = torch.randn(classes, features, generator=gen) * 1.5
    for i in range(n):
        y = torch.randint(classes, (size,), generator=gen)
        shift = 0.01 * i
        yield centres[y] + shift + torch.randn(size, features, generator=gen), y


def main():
    torch.manual_seed(0)
    net = nn.Sequential(
        nn.Linear(CFG["features"], 32),
        nn.GELU(),
        nn.Linear(32, CFG["classes"]),
    )
    loop = Loop(net, optim.SGD(net.parameters(), lr=CFG["lr"], momentum=0.9))
    follow, pull = make_anchor(net, CFG["speed"])
    loop.on("batch_start", partial(follow, net))  # <- culprit
    loop.penalties.append((CFG["strength"], pull))
    loop.run(batches(CFG["steps"], CFG["batch"], CFG["features"], CFG["classes"]))


if __name__ == "__main__":
    main()
