# gradwatch-corpus: kind=graph-chain
# holder: self.level | unit.level | model.unit.level
# first-bad: 1
# notice: 5
import torch
from torch import nn

torch.set_num_threads(1)


class LeakyUnit(nn.Module):
    """Exponential-smoothing state whose gate is learned from the covariates."""

    def __init__(self, n_in, n_state):
        super().__init__()
        self.gate = nn.Linear(n_in, n_state)
        self.drive = nn.Linear(n_in, n_state)
        self.level = torch.zeros(n_state)

    def forward(self, x):
        g = torch.sigmoid(self.gate(x))
        self.level = g * self.level + (1 - g) * torch.tanh(self.drive(x))  # <- culprit
        return self.level


class DemandModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.unit = LeakyUnit(5, 8)
        self.head = nn.Linear(8, 1)

    def forward(self, x):
        return self.head(self.unit(x))


def days(n, seed):
    g = torch.Generator().manual_seed(seed)
    promo = (torch.rand(n, generator=g) < 0.2).float()
    dow = torch.arange(n) % 7
    cov = torch.stack([promo, (dow == 5).float(), (dow == 6).float(), torch.rand(n, generator=g), torch.ones(n)], 1)
    demand = torch.zeros(n)
    carry = 0.0
    for i in range(n):
        carry = 0.8 * carry + 0.5 * promo[i].item()
        demand[i] = carry + 0.6 * cov[i, 2] + 0.05 * torch.randn((), generator=g)
    return cov, demand


def online_fit(model, cov, demand):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    err = 0.0
    for day in range(len(cov)):
        guess = model(cov[day]).squeeze()
        loss = nn.functional.huber_loss(guess, demand[day])
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        err = 0.95 * err + 0.05 * loss.item()
        if day % 60 == 59:
            print(f"day {day + 1}: smoothed loss {err:.4f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    online_fit(DemandModel(), *days(220, 8))
