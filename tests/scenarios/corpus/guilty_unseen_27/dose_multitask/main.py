# gradwatch-corpus: kind=graph-chain
# holder: state.weights | self.state.weights | run.state.weights | state | self.state | run.state | new.weights | ctx.state | ctx.state.weights
# first-bad: 1
# notice: 5
# after: hosseinshn/GradNorm #9 "Out of memory" (retain_graph=True, weights of the tasks carried on)
"""Joint prediction of trough level, creatinine and hospital days from admission data.

Tasks are balanced GradNorm-like: who learns slowly gets more weight in the next iteration.
"""
from dataclasses import dataclass, field

import torch
from torch import nn

from balance import BalanceState, RatioBalancer
from signopt import SignDescent

TASKS = ("trough", "creatinine", "days")


class AdmissionNet(nn.Module):
    def __init__(self, n_in=30, width=64):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in TASKS})

    def forward(self, x):
        z = self.trunk(x)
        return {t: head(z).squeeze(-1) for t, head in self.heads.items()}


class Cohort(torch.utils.data.IterableDataset):
    def __init__(self, batches, size=64, n_in=30):
        self.batches, self.size = batches, size
        self.mix = torch.randn(n_in, len(TASKS)) / n_in ** 0.5
        self.n_in = n_in

    def __iter__(self):
        for _ in range(self.batches):
            x = torch.randn(self.size, self.n_in)
            y = x @ self.mix * torch.tensor([1.0, 0.3, 3.0]) + 0.1 * torch.randn(self.size, len(TASKS))
            yield x, dict(zip(TASKS, y.unbind(1)))


@dataclass
class Run:
    model: nn.Module
    optimizer: torch.optim.Optimizer
    balancer: RatioBalancer
    state: BalanceState = None
    curve: list = field(default_factory=list)

    def losses(self, batch):
        x, targets = batch
        out = self.model(x)
        return torch.stack([nn.functional.smooth_l1_loss(out[t], targets[t]) for t in TASKS])

    def iterate(self, batch):
        losses = self.losses(batch)
        if self.state is None:
            self.state = self.balancer.initial(losses)
        total = (self.state.weights * losses).sum()
        self.optimizer.zero_grad()
        total.backward(retain_graph=True)
        self.optimizer.step()
        self.state = self.balancer.advance(self.state, losses)  # <- culprit
        self.curve.append(total.item())


def main():
    torch.manual_seed(17)
    model = AdmissionNet()
    run = Run(model, SignDescent(model.parameters(), lr=3e-4), RatioBalancer(alpha=0.03))
    for batch in torch.utils.data.DataLoader(Cohort(75), batch_size=None):
        run.iterate(batch)
    share = ", ".join(f"{t} {w:.2f}" for t, w in zip(TASKS, run.state.weights.tolist()))
    print(f"{len(run.curve)} steps, {run.curve[0]:.3f} -> {run.curve[-1]:.3f}; weights {share}")


if __name__ == "__main__":
    main()
