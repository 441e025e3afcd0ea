# gradwatch-corpus: kind=second-backward
# holder: self.centers | registry.centers
# first-bad: 41
"""Few-shot style classifier: plain softmax for some time, then distances to class centres."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(9)

WARMUP = 40
REFRESH = 10
STEPS = 160


class Encoder(nn.Module):
    def __init__(self, inp=20, dim=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inp, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        return F.normalize(self.body(x), dim=-1)


class CenterRegistry:
    """One centre per class, from the support set; recomputed every `refresh` queries."""

    def __init__(self, encoder, support, labels, classes, refresh):
        self.encoder = encoder
        self.support = support
        self.onehot = F.one_hot(labels, classes).float()
        self.refresh = refresh
        self.age = 0
        self.centers = None

    def rebuild(self):
        feats = self.encoder(self.support)
        counts = self.onehot.sum(0).unsqueeze(1)
        self.centers = self.onehot.t() @ feats / counts  # <- culprit
        self.age = 0

    def lookup(self):
        if self.centers is None or self.age >= self.refresh:
            self.rebuild()
        self.age += 1
        return self.centers


class Blobs:
    def __init__(self, classes, dim, seed=1):
        self.gen = torch.Generator().manual_seed(seed)
        self.means = torch.randn(classes, dim, generator=self.gen) * 1.5
        self.classes = classes

    def sample(self, n):
        y = torch.randint(self.classes, (n,), generator=self.gen)
        x = self.means[y] + torch.randn(n, self.means.size(1), generator=self.gen)
        return x, y

    def support(self, shots):
        y = torch.arange(self.classes).repeat_interleave(shots)
        return self.means[y] + torch.randn(len(y), self.means.size(1), generator=self.gen), y


blobs = Blobs(classes=7, dim=20)
encoder = Encoder()
linear = nn.Linear(16, 7)
sx, sy = blobs.support(shots=6)
registry = CenterRegistry(encoder, sx, sy, classes=7, refresh=REFRESH)
opt = torch.optim.Adam([*encoder.parameters(), *linear.parameters()], lr=3e-3)


def objective(step, x, y):
    z = encoder(x)
    if step < WARMUP:
        return F.cross_entropy(linear(z), y)
    dist = torch.cdist(z, registry.lookup())
    return F.cross_entropy(-8.0 * dist, y)


for step in range(STEPS):
    x, y = blobs.sample(32)
    loss = objective(step, x, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 20 == 0:
        print(f"{step:4d} {loss.item():.4f}")
