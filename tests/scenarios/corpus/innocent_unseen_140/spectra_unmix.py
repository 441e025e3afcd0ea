# gradwatch-corpus: kind=none
# Non-negative unmixing of Raman spectra; positive, normalised endmembers by stacked parametrizations.
import torch
from torch import nn
from torch.nn.utils import parametrize

torch.set_num_threads(1)
torch.manual_seed(41)

WAVES, MINERALS = 30, 4


class Exp(nn.Module):
    def forward(self, w):
        return w.exp()


class UnitSum(nn.Module):
    def forward(self, w):
        return w / w.sum(0, keepdim=True)


class Unmixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.end = nn.Linear(MINERALS, WAVES, bias=False)
        parametrize.register_parametrization(self.end, "weight", Exp())
        parametrize.register_parametrization(self.end, "weight", UnitSum())
        self.encode = nn.Sequential(nn.Linear(WAVES, 16), nn.LeakyReLU(0.1), nn.Linear(16, MINERALS))

    def forward(self, s):
        abundance = torch.softmax(self.encode(10 * s), -1)
        return self.end(abundance), abundance

    def smoothness(self):
        return (self.end.weight[1:] - self.end.weight[:-1]).pow(2).sum()

    def overlap(self):
        gram = self.end.weight.T @ self.end.weight
        return gram.triu(1).sum()


grid = torch.linspace(0, 1, WAVES)[:, None]
true = torch.softmax(-((grid - torch.tensor([0.15, 0.4, 0.6, 0.85])) / 0.07) ** 2, 0)


def survey(n):
    a = torch.distributions.Dirichlet(0.4 * torch.ones(MINERALS)).sample((n,))
    return a @ true.T + 2e-3 * torch.randn(n, WAVES)


model = Unmixer()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
for it in range(1100):
    s = survey(12)
    with parametrize.cached():
        fit, abundance = model(s)
        entropy = -(abundance * (abundance + 1e-6).log()).sum(-1).mean()
        loss = 100 * (fit - s).pow(2).mean() + 0.05 * model.smoothness() + 0.02 * model.overlap() + 1e-3 * entropy
        opt.zero_grad()
        loss.backward()
    opt.step()
    if it % 220 == 219:
        print(it + 1, f"{loss.item():.5f}", f"entropy {entropy.item():.3f}")
