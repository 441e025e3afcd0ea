# gradwatch-corpus: kind=none
"""SimCLR with a large batch in chunks: representations first, then their gradients (GradCache)."""
from contextlib import contextmanager
from typing import List

import torch
from torch import Tensor, nn
import torch.nn.functional as F


class RandContext:
    def __init__(self):
        self.state = torch.get_rng_state()

    @contextmanager
    def replay(self):
        with torch.random.fork_rng(devices=[]):
            torch.set_rng_state(self.state)
            yield


class Encoder(nn.Module):
    def __init__(self, d_in=32, d=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_in, 96),
            nn.GELU(),
            nn.Dropout(0.1),
            nn.Linear(96, d),
        )

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def nt_xent(z1: Tensor, z2: Tensor, tau: float = 0.2) -> Tensor:
    z = torch.cat([z1, z2])
    sim = z @ z.t() / tau
    sim.fill_diagonal_(-1e9)
    n = z1.size(0)
    target = torch.cat([torch.arange(n) + n, torch.arange(n)])
    return F.cross_entropy(sim, target)


class GradCache:
    def __init__(self, model: nn.Module, chunk: int):
        self.model = model
        self.chunk = chunk
        self.rnd_states: List[List[RandContext]] = []
        self.reps: List[Tensor] = []
        self.cache: List[Tensor] = []

    def forward_no_grad(self, x: Tensor):
        states = []
        reps = []
        with torch.no_grad():
            for part in x.split(self.chunk):
                states.append(RandContext())
                reps.append(self.model(part))
        return torch.cat(reps), states

    def build_cache(self):
        leaves = [r.detach().requires_grad_() for r in self.reps]
        loss = nt_xent(*leaves)
        loss.backward()
        self.cache = [leaf.grad for leaf in leaves]
        return loss.detach()

    def forward_backward(self, x, cached, states):
        for part, grad, state in zip(x.split(self.chunk), cached.split(self.chunk), states):
            with state.replay():
                y = self.model(part)
            surrogate = torch.dot(y.flatten(), grad.flatten())
            surrogate.backward()

    def step(self, *views):
        self.reps = []
        self.rnd_states = []
        for v in views:
            reps, states = self.forward_no_grad(v)
            self.reps.append(reps)
            self.rnd_states.append(states)
        loss = self.build_cache()
        for v, g, s in zip(views, self.cache, self.rnd_states):
            self.forward_backward(v, g, s)
        return loss


def main():
    torch.manual_seed(55)
    protos = torch.randn(20, 32)
    model = Encoder()
    gc = GradCache(model, chunk=32)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    losses = []
    for it in range(100):
        base = protos[torch.randint(0, 20, (128,))] + 0.5 * torch.randn(128, 32)
        a = base + 0.3 * torch.randn_like(base)
        b = base * (torch.rand_like(base) > 0.2)
        opt.zero_grad()
        losses.append(gc.step(a, b))
        opt.step()
        if (it + 1) % 25 == 0:
            print(it + 1, torch.stack(losses).mean().item())
            losses = []


if __name__ == "__main__":
    main()
