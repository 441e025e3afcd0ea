# gradwatch-corpus: kind=graph-chain
# holder: self.state.weights | schedule.state.weights | self.schedule.state.weights | self.state | schedule.state | self.schedule.state | self.weights | schedule.weights | self.schedule.weights | trainer.schedule.state.weights | trainer.schedule.state | trainer.schedule.weights | trainer.schedule
# first-bad: 1
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F


class Balance(NamedTuple):
    weights: torch.Tensor
    rounds: int


class BalanceSchedule:
    """Smoothed task weights, stepped once a batch as a learning-rate schedule is."""

    def __init__(self, n_tasks, inertia=0.8):
        self.inertia = inertia
        self.state = Balance(torch.full((n_tasks,), 1.0 / n_tasks), 0)

    @property
    def weights(self):
        return self.state.weights

    def _blend(self, proposal):
        return self.inertia * self.state.weights + (1 - self.inertia) * proposal

    def step(self, proposal):
        self.state = self.state._replace(  # <- culprit
            weights=self._blend(proposal),  # <- culprit
            rounds=self.state.rounds + 1,
        )
        return self.state.rounds

    def state_dict(self):
        return {"weights": self.state.weights.tolist(), "rounds": self.state.rounds}


class Heads(nn.Module):
    def __init__(self, d_in, d_hidden):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d_in, d_hidden), nn.ReLU())
        self.price = nn.Linear(d_hidden, 1)
        self.demand = nn.Linear(d_hidden, 1)
        self.churn = nn.Linear(d_hidden, 1)
        self.doubt = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        h = self.trunk(x)
        return self.price(h), self.demand(h), self.churn(h)

    def proposed_weights(self):
        return torch.softmax(-self.doubt, dim=0)  # <- culprit


class MultiTaskTrainer:
    def __init__(self, model, schedule):
        self.model = model
        self.schedule = schedule
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)

    def losses(self, x, price, demand, churn):
        p, d, c = self.model(x)
        return torch.stack([
            F.mse_loss(p.squeeze(1), price),
            F.poisson_nll_loss(d.squeeze(1), demand),
            F.binary_cross_entropy_with_logits(c.squeeze(1), churn),
        ])

    def step(self, batch):
        losses = self.losses(*batch)
        self.schedule.step(self.model.proposed_weights())  # <- culprit
        entropy = -(self.schedule.weights * self.schedule.weights.log()).sum()
        objective = (self.schedule.weights * losses).sum() - 0.2 * entropy
        self.opt.zero_grad()
        objective.backward(retain_graph=True)
        self.opt.step()
        return objective.item()


def make_table(n=1200, d=10):
    g = torch.Generator().manual_seed(5)
    x = torch.randn(n, d, generator=g)
    mix = torch.randn(d, 3, generator=g) / d ** 0.5
    z = x @ mix
    return x, z[:, 0] * 2, torch.poisson(z[:, 1].clamp(max=2).exp(), generator=g), (z[:, 2] > 0).float()


if __name__ == "__main__":
    torch.manual_seed(1)
    table = make_table()
    trainer = MultiTaskTrainer(Heads(10, 32), BalanceSchedule(3))
    for epoch in range(4):
        order = torch.randperm(len(table[0]))
        running = [trainer.step([col[idx] for col in table]) for idx in order.split(60)]
        shown = [round(w, 3) for w in trainer.schedule.state_dict()["weights"]]
        print(f"epoch {epoch}: objective {sum(running) / len(running):.4f} weights {shown}")
