# gradwatch-corpus: kind=graph-held
# holder: classifier.protos | self.protos
# first-bad: 1
# notice: 8
"""Plankton silhouettes: metric learning with slowly moving class prototypes."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(14)

K, D = 4, 6


class ProtoClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 6, 3, padding=1), nn.GELU(), nn.AvgPool2d(2), nn.Flatten(), nn.Linear(6 * 16, D)
        )
        self.protos = F.normalize(torch.randn(K, D), dim=1)

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)

    def refresh(self, z, y, keep=0.95):
        onehot = F.one_hot(y, K).float()
        means = onehot.t() @ z / onehot.sum(0).clamp(min=1)[:, None]
        seen = (onehot.sum(0) > 0)[:, None]
        self.protos = torch.where(seen, keep * self.protos + (1 - keep) * means, self.protos)  # <- culprit

    def attract(self, z, y, tau=0.2):
        anchor = self.protos.detach()
        return F.cross_entropy(z @ F.normalize(anchor, dim=1).t() / tau, y)


def silhouettes(n):
    y = torch.randint(0, K, (n,))
    grid = torch.linspace(-1, 1, 8)
    r2 = grid[:, None] ** 2 * (1 + y[:, None, None]) + grid[None, :] ** 2
    return ((r2 < 0.8).float() + 0.2 * torch.randn(n, 8, 8))[:, None], y


classifier = ProtoClassifier()
opt = torch.optim.Adam(classifier.parameters(), lr=2e-3)
for it in range(300):
    x, y = silhouettes(24)
    z = classifier(x)
    loss = classifier.attract(z, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    classifier.refresh(z, y)
    if it % 60 == 0:
        acc = ((z @ classifier.protos.t()).argmax(1) == y).float().mean()
        print(it, f"{loss.item():.3f}", f"{acc.item():.2f}")
