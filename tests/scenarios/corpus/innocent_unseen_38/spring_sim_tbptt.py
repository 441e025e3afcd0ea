# gradwatch-corpus: kind=none
"""System identification of a spring chain: online, with overlapping truncated BPTT.

Every k1 simulator steps the parameters are updated; the gradient goes back through
the last k2 // k1 segments, whatever the length of the trajectory.
"""
from collections import deque

import torch
from torch import nn


class SpringChain(nn.Module):
    def __init__(self, n, dt=0.02, stiffness=4.0, damping=0.2, mass=1.0):
        super().__init__()
        self.n, self.dt = n, dt
        self.log_k = nn.Parameter(torch.full((n + 1,), stiffness).log())
        self.log_c = nn.Parameter(torch.tensor(damping).log())
        self.register_buffer("inv_mass", torch.full((n,), 1.0 / mass))

    def forward(self, state, drive):
        # state: (2, batch, n), displacement and velocity; semi-implicit Euler
        pos, vel = state.unbind(0)
        k, c = self.log_k.exp(), self.log_c.exp()
        wall = pos.new_zeros(pos.size(0), 1)
        stretch = torch.cat([pos, wall], 1) - torch.cat([wall, pos], 1)
        tension = k * stretch
        force = tension[:, 1:] - tension[:, :-1] - c * vel
        force = torch.cat([force[:, :1] + drive[:, None], force[:, 1:]], 1)
        vel = vel + self.dt * self.inv_mass * force
        pos = pos + self.dt * vel
        return torch.stack([pos, vel])


class OverlappingTBPTT:
    def __init__(self, cell, opt, state, k1, k2):
        assert k2 % k1 == 0
        self.cell, self.opt, self.k1 = cell, opt, k1
        self.segments = deque(maxlen=k2 // k1)
        self.state = state

    def advance(self, drive, target, weight):
        start = self.state.detach().requires_grad_()
        x, err = start, 0.0
        for u, y in zip(drive, target):
            x = self.cell(x, u)
            err = err + ((x - y).pow(2) * weight).mean()
        loss = err / self.k1
        self.segments.append((start, x))
        self.state = x

        self.opt.zero_grad()
        for s, _ in self.segments:
            s.grad = None
        # every segment is walked again in the next updates, until it drops out of the window
        loss.backward(retain_graph=True)
        chain = list(self.segments)
        for age in range(1, len(chain)):
            end, later = chain[-1 - age][1], chain[-age][0]
            end.backward(later.grad, retain_graph=age + 1 < self.segments.maxlen)
        self.opt.step()
        return loss.item()


def excitation(steps, batch, gen):
    freq = 0.5 + 2.5 * torch.rand(batch, generator=gen)
    t = torch.arange(steps)[:, None] * 0.02
    return 3.0 * torch.sin(6.2832 * freq * t) + 0.3 * torch.randn(steps, batch, generator=gen)


def main(n=5, batch=16, k1=5, k2=30, updates=120):
    gen = torch.Generator().manual_seed(8)
    truth = SpringChain(n, damping=0.6).requires_grad_(False)
    truth.log_k.copy_((2 + 8 * torch.rand(n + 1, generator=gen)).log())

    model = SpringChain(n)
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    weight = torch.tensor([1.0, 0.05]).view(2, 1, 1)

    real = torch.zeros(2, batch, n)
    trainer = OverlappingTBPTT(model, opt, torch.zeros(2, batch, n), k1, k2)
    drive = excitation(k1 * updates, batch, gen)
    avg = None
    for i, u in enumerate(drive.split(k1)):
        path = []
        for f in u:
            real = truth(real, f)
            path.append(real)
        loss = trainer.advance(u, torch.stack(path), weight)
        avg = loss if avg is None else 0.9 * avg + 0.1 * loss
        if i % 20 == 19:
            off = (model.log_k - truth.log_k).detach().abs().mean().item()
            print(f"update {i + 1:4d}  loss {avg:.5f}  |log k error| {off:.3f}  c {model.log_c.exp().item():.3f}")


if __name__ == "__main__":
    main()
