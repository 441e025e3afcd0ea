# gradwatch-corpus: kind=graph-chain
# holder: self.value | smoother.value | self.smoother.value | fit.smoother.value
# first-bad: 26
# notice: 5
# also: retain-needless
import math
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(3)


@dataclass
class Stage:
    name: str
    steps: int
    lr: float
    smooth: bool


PLAN = [Stage("rough", 25, 5e-2, False), Stage("refine", 50, 1e-2, True)]


class ReactionChain(nn.Module):
    """A -> B -> C with Arrhenius-like rates, integrated by explicit Euler steps."""

    def __init__(self, dt=0.05, n_steps=24):
        super().__init__()
        self.log_k1 = nn.Parameter(torch.tensor(-1.0))
        self.log_k2 = nn.Parameter(torch.tensor(-1.0))
        self.dt, self.n_steps = dt, n_steps

    def forward(self, conc):
        k1, k2 = self.log_k1.exp(), self.log_k2.exp()
        a, b, c = conc.unbind(-1)
        path = []
        for _ in range(self.n_steps):
            r1, r2 = k1 * a, k2 * b
            a, b, c = a - self.dt * r1, b + self.dt * (r1 - r2), c + self.dt * r2
            path.append(torch.stack([a, b, c], dim=-1))
        return torch.stack(path, dim=1)


class SmoothedObjective:
    """Exponential mean of the misfit: evens out the noise of small experiment batches."""

    def __init__(self, keep=0.7):
        self.keep = keep
        self.value = None

    def __call__(self, misfit):
        if self.value is None:
            self.value = misfit.detach()
        self.value = self.keep * self.value + (1 - self.keep) * misfit  # <- culprit
        return self.value


class Experiments:
    def __init__(self, n, k1, k2, noise=0.01):
        self.init = torch.rand(n, 3)
        truth = ReactionChain()
        with torch.no_grad():
            truth.log_k1.fill_(math.log(k1))
            truth.log_k2.fill_(math.log(k2))
            clean = truth(self.init)
        self.path = clean + noise * torch.randn_like(clean)

    def sample(self, size):
        idx = torch.randint(len(self.init), (size,))
        return self.init[idx], self.path[idx]


class RateFit:
    def __init__(self, model, data):
        self.model, self.data = model, data
        self.smoother = SmoothedObjective()
        self.trace = []

    def misfit(self):
        init, path = self.data.sample(8)
        return (self.model(init) - path).pow(2).mean()

    def run_stage(self, stage):
        opt = torch.optim.Adam(self.model.parameters(), lr=stage.lr)
        for _ in range(stage.steps):
            loss = self.misfit()
            if stage.smooth:
                loss = self.smoother(loss)
            opt.zero_grad()
            loss.backward(retain_graph=stage.smooth)  # <- culprit
            opt.step()
            self.trace.append(loss.item())
        k1, k2 = self.model.log_k1.exp().item(), self.model.log_k2.exp().item()
        print(f"{stage.name:7s} misfit {self.trace[-1]:.6f} k1={k1:.3f} k2={k2:.3f}")


def main():
    fit = RateFit(ReactionChain(), Experiments(64, k1=1.4, k2=0.6))
    for stage in PLAN:
        fit.run_stage(stage)


if __name__ == "__main__":
    main()
