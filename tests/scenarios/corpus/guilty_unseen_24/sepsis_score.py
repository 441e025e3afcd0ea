# gradwatch-corpus: kind=second-backward
# holder: self._roughness | model._roughness | model.roughness | reg
# first-bad: 81
"""Additive early-warning score: one smooth binned curve per lab value plus an interaction head."""
import torch
from torch import nn
from torch.nn import functional as F

N_LABS, N_BINS = 16, 24


def make_stays(n, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, N_LABS, generator=g)
    risk = 0.8 * x[:, 0].abs() + 0.6 * torch.sin(2 * x[:, 1]) + 0.5 * x[:, 2] * x[:, 3] - 1.0
    y = torch.bernoulli(torch.sigmoid(risk), generator=g)
    edges = torch.linspace(-2.5, 2.5, N_BINS - 1)
    return x, torch.bucketize(x, edges), y


class AdditiveScore(nn.Module):
    def __init__(self):
        super().__init__()
        self.curves = nn.Parameter(0.05 * torch.randn(N_LABS, N_BINS))
        self.inter = nn.Sequential(nn.Linear(N_LABS, 48), nn.ReLU(), nn.Linear(48, 1))
        self.register_buffer("lab_index", torch.arange(N_LABS))
        self._roughness = None

    def train(self, mode=True):
        self._roughness = None
        return super().train(mode)

    @property
    def roughness(self):
        """Squared second differences of all curves."""
        if self._roughness is None:
            d2 = self.curves[:, 2:] - 2 * self.curves[:, 1:-1] + self.curves[:, :-2]
            self._roughness = d2.square().sum(1).mean()  # <- culprit
        return self._roughness

    def forward(self, x, bins):
        additive = self.curves[self.lab_index, bins].sum(1)
        return additive + self.inter(x).squeeze(-1)


class Schedule:
    def __init__(self, warm_epochs, strength):
        self.warm_epochs, self.strength = warm_epochs, strength

    def weight(self, epoch):
        return 0.0 if epoch < self.warm_epochs else self.strength


def objective(model, batch, lam):
    x, bins, y = batch
    loss = F.binary_cross_entropy_with_logits(model(x, bins), y)
    if lam > 0:
        reg = model.roughness
        loss = loss + lam * reg
    return loss


@torch.no_grad()
def brier(model, data):
    model.eval()
    x, bins, y = data
    return (torch.sigmoid(model(x, bins)) - y).square().mean().item()


def minibatches(data, size):
    order = torch.randperm(len(data[0]))
    for chunk in order.split(size):
        if len(chunk) == size:
            yield tuple(t[chunk] for t in data)


def main():
    torch.manual_seed(8)
    train, valid = make_stays(40 * 256, 0), make_stays(4000, 1)
    model = AdditiveScore()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    schedule = Schedule(warm_epochs=2, strength=0.3)
    for epoch in range(6):
        model.train()
        lam = schedule.weight(epoch)
        total = 0.0
        for batch in minibatches(train, 256):
            opt.zero_grad()
            loss = objective(model, batch, lam)
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch} loss {total / 40:.4f} brier {brier(model, valid):.4f} lambda {lam}")


if __name__ == "__main__":
    main()
