# gradwatch-corpus: kind=none
from collections import deque, namedtuple
from functools import partial

import torch
import torch.nn as nn
from torch.func import functional_call, vmap, grad

Task = namedtuple("Task", "support_x support_y query_x query_y")
Episode = namedtuple("Episode", "index before after fast")


def sample_task(g, shots=10):
    """Planar reach with a random tool length and mounting angle: joint angles -> tip position."""
    tool = 0.5 + torch.rand((), generator=g)
    tilt = (torch.rand((), generator=g) - 0.5) * 2.0

    def tip(q):
        a = q[:, 0] + tilt
        b = a + q[:, 1]
        return torch.stack([a.cos() + tool * b.cos(), a.sin() + tool * b.sin()], dim=-1)

    q = (torch.rand(2 * shots, 2, generator=g) - 0.5) * 3.0
    y = tip(q)
    return Task(q[:shots], y[:shots], q[shots:], y[shots:])


class Reacher(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, q):
        return self.net(q)


class MetaBase:
    def __init__(self, model, lr):
        self.model = model
        self.log_rates = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for n, _ in model.named_parameters()})
        self.opt = torch.optim.Adam([*model.parameters(), *self.log_rates.parameters()], lr=lr)
        self.episodes = deque(maxlen=6)
        self.prior = None

    def loss(self, params, x, y):
        return (functional_call(self.model, params, (x,)) - y).square().mean()

    @property
    def params(self):
        return dict(self.model.named_parameters())


class Meta(MetaBase):
    inner_steps = 2

    def adapt(self, task):
        fast = self.params
        for _ in range(self.inner_steps):
            loss = self.loss(fast, task.support_x, task.support_y)
            grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
            fast = {n: w - self.log_rates[n.replace(".", "_")].exp() * g
                    for (n, w), g in zip(fast.items(), grads)}
            yield fast, loss

    def smooth(self, fast):
        with torch.no_grad():
            if self.prior is None:
                self.prior = {n: w.clone() for n, w in fast.items()}
            else:
                self.prior = {n: 0.9 * self.prior[n] + 0.1 * w for n, w in fast.items()}

    def meta_step(self, i, tasks):
        total = 0.0
        for task in tasks:
            path = list(self.adapt(task))
            fast = path[-1][0]
            after = self.loss(fast, task.query_x, task.query_y)
            if self.prior is not None:
                drift = sum((w - self.prior[n]).square().sum() for n, w in fast.items())
                after = after + 1e-4 * drift
            total = total + after
        self.opt.zero_grad()
        (total / len(tasks)).backward()
        self.opt.step()
        self.smooth(fast)
        self.episodes.append(Episode(i, path[0][1], after, fast))
        return total.item() / len(tasks)

    def per_sample_norms(self, task):
        frozen = {n: p.detach() for n, p in self.params.items()}

        def one(p, x, y):
            return self.loss(p, x.unsqueeze(0), y.unsqueeze(0))

        grads = vmap(partial(grad(one), frozen))(task.query_x, task.query_y)
        return torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)


def main(meta_steps=150):
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(8)
    meta = Meta(Reacher(), lr=2e-3)
    norms = []
    for i in range(meta_steps):
        tasks = [sample_task(g) for _ in range(4)]
        value = meta.meta_step(i, tasks)
        norms.append(meta.per_sample_norms(tasks[0]))
        if i % 30 == 0:
            last = meta.episodes[-1]
            print(f"{i:4d} query {value:.4f} ({last.before.item():.3f} -> {last.after.item():.3f}) "
                  f"gradient norm {norms[-1].mean():.3f}")
    print("median norm", torch.cat(norms).median().item(), "episodes kept", [e.index for e in meta.episodes])


if __name__ == "__main__":
    main()
