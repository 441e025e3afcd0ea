# gradwatch-corpus: kind=none
import torch
from torch import nn

from core import AUROC, Learner, Recorder

torch.manual_seed(10)

N_STAYS = 2400
LABS = ["lactate", "wbc", "platelets", "bilirubin", "creatinine", "map", "gcs", "fio2"]


def stays():
    x = torch.randn(N_STAYS, len(LABS))
    missing = torch.rand_like(x) < 0.15
    risk = x[:, 0] + 0.5 * x[:, 4] - 0.8 * x[:, 5]
    y = (risk + torch.randn(N_STAYS) > 1).float()
    x[missing] = 0.0
    return torch.cat([x, missing.float()], 1), y


class Loader:
    def __init__(self, x, y, bs):
        self.x = x
        self.y = y
        self.bs = bs

    def __iter__(self):
        for idx in torch.randperm(len(self.x)).split(self.bs):
            yield self.x[idx], self.y[idx]


class SepsisNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2 * len(LABS), 48),
            nn.LayerNorm(48),
            nn.ReLU(),
            nn.Linear(48, 24),
            nn.ReLU(),
            nn.Linear(24, 1),
        )

    def forward(self, x):
        return self.body(x)[:, 0]


x, y = stays()
model = SepsisNet()
learn = Learner(
    model,
    Loader(x, y, 60),
    torch.optim.Adam(model.parameters(), lr=2e-3),
    nn.BCEWithLogitsLoss(),
    AUROC(),
    Recorder(),
)
learn.fit(4)
print({k: round(v[-1], 4) for k, v in learn.rec.history.items()})
