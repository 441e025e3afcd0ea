# gradwatch-corpus: kind=graph-held
# holder: self.path | self.path[name] | si.path | si.path[name] | trainer.si.path
# first-bad: 1
"""Synaptic intelligence on a split toy-digit stream (three tasks of two classes each).
Reimplementation for my thesis chapter on regularisation methods; small enough for a laptop."""
import torch
from torch import nn
import torch.nn.functional as F

N_TASKS = 3
ITERS_PER_TASK = 120
DIM = 36


def make_prototypes(n, gen):
    """6x6 pictures of random strokes."""
    protos = torch.zeros(n, 6, 6)
    for k in range(n):
        for _ in range(3):
            r, c = torch.randint(0, 6, (2,), generator=gen).tolist()
            if torch.rand(1, generator=gen) < 0.5:
                protos[k, r, :] += 1
            else:
                protos[k, :, c] += 1
    return protos.view(n, -1)


class SplitStream:
    def __init__(self, seed, batch=32):
        self.gen = torch.Generator().manual_seed(seed)
        self.protos = make_prototypes(2 * N_TASKS, self.gen)
        self.batch = batch

    def sample(self, task):
        y = torch.randint(0, 2, (self.batch,), generator=self.gen)
        x = self.protos[2 * task + y]
        return x + 0.5 * torch.randn(x.shape, generator=self.gen), y


class MultiHead(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(DIM, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleList([nn.Linear(width, 2) for _ in range(N_TASKS)])

    def forward(self, x, task):
        return self.heads[task](self.trunk(x))


class SynapticIntelligence:
    """Path integral of the loss along the trajectory of every trunk weight (Zenke et al., 2017)."""

    def __init__(self, module, strength=0.5, xi=0.1):
        self.module = module
        self.strength = strength
        self.xi = xi
        self.path = {n: torch.zeros_like(p) for n, p in module.named_parameters()}
        self.before = {n: p.detach().clone() for n, p in module.named_parameters()}
        self.anchor = {n: p.detach().clone() for n, p in module.named_parameters()}
        self.start = {n: p.detach().clone() for n, p in module.named_parameters()}
        self.importance = None

    def after_step(self):
        for name, p in self.module.named_parameters():
            if p.grad is None:
                continue
            moved = p - self.before[name]  # <- culprit
            self.path[name] = self.path[name] - p.grad * moved  # <- culprit
            self.before[name] = p.detach().clone()

    @torch.no_grad()
    def consolidate(self):
        self.importance = {}
        for name, p in self.module.named_parameters():
            travelled = (p - self.start[name]) ** 2 + self.xi
            self.importance[name] = (self.path[name] / travelled).clamp(min=0).clone()
            self.anchor[name] = p.clone()

    def penalty(self):
        if self.importance is None:
            return 0.0
        terms = [
            (self.importance[n] * (p - self.anchor[n]) ** 2).sum()
            for n, p in self.module.named_parameters()
        ]
        return self.strength * torch.stack(terms).sum()


@torch.no_grad()
def accuracy(net, stream, task, n=4):
    good = [(net(x, task).argmax(1) == y).float().mean().item()
            for x, y in (stream.sample(task) for _ in range(n))]
    return sum(good) / n


def learn_task(net, si, stream, task, opt):
    for i in range(ITERS_PER_TASK):
        x, y = stream.sample(task)
        loss = F.cross_entropy(net(x, task), y) + si.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        si.after_step()
        if i % 60 == 0:
            print(f"  task {task} it {i:3d} loss {loss.item():.3f}")
    si.consolidate()


def main():
    torch.manual_seed(29)
    stream = SplitStream(29)
    net = MultiHead()
    si = SynapticIntelligence(net.trunk)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    for task in range(N_TASKS):
        learn_task(net, si, stream, task, opt)
        accs = " ".join(f"{accuracy(net, stream, t):.2f}" for t in range(task + 1))
        print(f"after task {task}: {accs}")


if __name__ == "__main__":
    main()
