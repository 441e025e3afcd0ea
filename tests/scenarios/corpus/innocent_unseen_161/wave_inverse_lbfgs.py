# gradwatch-corpus: kind=none
"""Recover a damping profile of a string from boundary recordings (LBFGS, simulated wave equation)."""
import torch
from torch import nn


class StringSim(nn.Module):
    def __init__(self, cells, steps, c=0.4):
        super().__init__()
        self.cells, self.steps, self.c2 = cells, steps, c * c
        self.raw = nn.Parameter(torch.full((cells,), -3.0))

    def damping(self):
        return nn.functional.softplus(self.raw)

    def forward(self, u0):
        damp = self.damping()
        prev, cur, record = u0, u0, []
        for _ in range(self.steps):
            lap = torch.roll(cur, 1, -1) + torch.roll(cur, -1, -1) - 2 * cur
            nxt = cur + (1 - damp) * (cur - prev) + self.c2 * lap
            prev, cur = cur, nxt
            record.append(cur[..., ::8])
        return torch.stack(record)


class Inversion:
    def __init__(self, sim, shots, observed):
        self.sim, self.shots, self.observed = sim, shots, observed
        self.opt = torch.optim.LBFGS(sim.parameters(), lr=0.5, max_iter=8, history_size=6)
        self.trace = []

    def run(self, rounds):
        def closure():
            self.opt.zero_grad()
            misfit = (self.sim(self.shots) - self.observed).pow(2).mean()
            smooth = self.sim.raw.diff().pow(2).mean()
            loss = misfit + 1e-5 * smooth
            loss.backward()
            self.trace.append(misfit.item())
            return loss

        for r in range(rounds):
            self.last = self.opt.step(closure)
            if r % 4 == 0:
                print(f"round {r} evaluations {len(self.trace)} misfit {self.trace[-1]:.2e}")


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    x = torch.linspace(0, 1, 40)
    shots = torch.stack([torch.exp(-((x - m) / 0.08) ** 2) for m in (0.2, 0.5, 0.8)])
    truth = StringSim(40, 25)
    with torch.no_grad():
        truth.raw += 2.0 * torch.exp(-((x - 0.6) / 0.1) ** 2)
        observed = truth(shots) + 1e-3 * torch.randn(25, 3, 5)
    Inversion(StringSim(40, 25), shots, observed).run(16)


if __name__ == "__main__":
    main()
