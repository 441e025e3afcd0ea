# gradwatch-corpus: kind=none
import contextlib
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(48)


@dataclass
class Ascent:
    moved: list = field(default_factory=list)


class Sam:
    def __init__(self, params, base, rho=0.05, **kw):
        self.params = list(params)
        self.base = base(self.params, **kw)
        self.rho = rho
        self.sharpness = []

    @contextlib.contextmanager
    def uphill(self):
        asc = Ascent()
        with torch.no_grad():
            norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-9
            for p in self.params:
                e = p.grad * (self.rho / norm)
                p.add_(e)
                asc.moved.append((p, e))
        try:
            yield asc
        finally:
            with torch.no_grad():
                for p, e in asc.moved:
                    p.sub_(e)

    def step(self, closure):
        self.base.zero_grad()
        here = closure()
        here.backward()
        with self.uphill():
            self.base.zero_grad()
            there = closure()
            there.backward()
        self.base.step()
        self.sharpness.append((there - here).detach())
        return here.detach()


class Stowage(nn.Module):
    def __init__(self):
        super().__init__()
        self.item = nn.Linear(4, 16)
        self.attn = nn.MultiheadAttention(16, 2, batch_first=True)
        self.out = nn.Linear(16, 1)

    def forward(self, crates):
        z = torch.relu(self.item(crates))
        return self.out(self.attn(z, z, z, need_weights=False)[0].mean(1)).squeeze(1)


class Port:
    def ships(self, n):
        for _ in range(n):
            crates = torch.rand(12, 5, 4)
            yield crates, crates[..., 0].max(1).values - crates[..., 1].min(1).values


net = Stowage()
sam = Sam(net.parameters(), torch.optim.SGD, rho=0.03, lr=0.05, momentum=0.9)
for crates, balance in Port().ships(700):
    value = sam.step(lambda: nn.functional.mse_loss(net(crates), balance))
print(value.item(), torch.stack(sam.sharpness[-50:]).mean().item())
