# gradwatch-corpus: kind=graph-held
# holder: self.ledger | est.ledger | est.ledger[name] | row | row["energy"] | row["quality"]
# first-bad: 1
# notice: 8
"""Identify the stiffness, damping and masses of a chain of oscillators from observed motion.

The unknowns are plain tensors; the integrator is a few symplectic Euler steps. After every
update the conserved-quantity diagnostics of the present estimate are entered in a ledger
(keyed by step) from which the summary at the end is drawn up.
"""
import math

import torch

N, DT, HORIZON = 5, 0.08, 6


def integrate(k, c, inv_m, x, v):
    for _ in range(HORIZON):
        stretch = torch.diff(x, dim=1, prepend=torch.zeros(len(x), 1))
        pull = k * stretch
        force = -pull + torch.nn.functional.pad(pull[:, 1:], (0, 1)) - c * v
        v = v + DT * inv_m * force
        x = x + DT * v
    return x, v


class Lab:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.k = 1.0 + torch.rand(N, generator=self.gen)
        self.c = torch.tensor(0.15)
        self.inv_m = 1.0 / (0.5 + torch.rand(N, generator=self.gen))

    def experiment(self, n):
        x0 = torch.randn(n, N, generator=self.gen)
        v0 = 0.5 * torch.randn(n, N, generator=self.gen)
        x1, v1 = integrate(self.k, self.c, self.inv_m, x0, v0)
        return x0, v0, x1 + 0.01 * torch.randn(x1.shape, generator=self.gen), v1


class Estimate:
    def __init__(self):
        self.log_k = torch.zeros(N, requires_grad=True)
        self.log_c = torch.tensor(math.log(0.05), requires_grad=True)
        self.log_inv_m = torch.zeros(N, requires_grad=True)
        self.ledger = {}

    def unknowns(self):
        return [self.log_k, self.log_c, self.log_inv_m]

    def physical(self):
        return self.log_k.exp(), self.log_c.exp(), self.log_inv_m.exp()

    def rollout(self, x, v):
        return integrate(*self.physical(), x, v)

    def energy(self, x, v):
        k, _, inv_m = self.physical()
        stretch = torch.diff(x, dim=1, prepend=torch.zeros(len(x), 1))
        return 0.5 * ((v * v / inv_m).sum(1) + (k * stretch * stretch).sum(1)).mean()

    def enter(self, step, x, v):
        e = self.energy(x, v)  # <- culprit
        k, c, inv_m = self.physical()
        q = (k * inv_m).sqrt().min() / c  # <- culprit
        self.ledger[f"update-{step:04d}"] = {"energy": e, "quality": q, "mass": (1 / inv_m.detach()).sum()}  # <- culprit


def main(updates=300):
    torch.set_num_threads(1)
    torch.manual_seed(2)
    lab = Lab(seed=12)
    est = Estimate()
    opt = torch.optim.Adam(est.unknowns(), lr=0.02)
    for step in range(updates):
        x0, v0, x1, v1 = lab.experiment(12)
        px, pv = est.rollout(x0, v0)
        loss = (px - x1).square().mean() + (pv - v1).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        est.enter(step, x1, v1)  # <- culprit
        if step % 60 == 0:
            print(f"{step:4d}  misfit {loss.item():.5f}")

    print("entry          energy  quality   mass")
    for name in list(est.ledger)[::50]:
        row = est.ledger[name]
        print(f"{name}  {row['energy'].item():8.3f} {row['quality'].item():8.2f} {row['mass'].item():6.2f}")
    print("k true", [round(v, 2) for v in lab.k.tolist()], "found", [round(v, 2) for v in est.log_k.exp().tolist()])


if __name__ == "__main__":
    main()
