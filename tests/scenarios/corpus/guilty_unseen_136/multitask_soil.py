# gradwatch-corpus: kind=crashed
# holder: values | total
# first-bad: 0
# notice: 0
"""Soil property prediction (pH, carbon, clay) from reflectance, one head per property."""
import torch
import torch.nn as nn

torch.set_num_threads(1)

TARGETS = {"ph": 1.0, "carbon": 0.5, "clay": 0.5}


class SoilNet(nn.Module):
    def __init__(self, bands=20, width=16):
        super().__init__()
        self.stem = nn.Sequential(nn.LayerNorm(bands), nn.Linear(bands, width), nn.SiLU())
        self.heads = nn.ModuleDict({k: nn.Linear(width, 1) for k in TARGETS})

    def forward(self, x):
        z = self.stem(x)
        return {k: head(z).squeeze(-1) for k, head in self.heads.items()}


class WeightedSum:
    """Combines per-task losses, with weights that follow how slowly each task improves."""

    def __init__(self, weights, temperature=2.0):
        self.base = torch.tensor(list(weights.values()))
        self.prev = None
        self.temperature = temperature

    def _rates(self, now):
        if self.prev is None:
            return torch.ones_like(now)
        return now / self.prev.clamp(min=1e-6)

    def __call__(self, losses):
        values = torch.tensor([v.mean() for v in losses])  # <- culprit
        w = self.base * torch.softmax(self._rates(values) / self.temperature, 0) * len(values)
        self.prev = values.clone()
        return (w * values).sum()


def masked_errors(pred, target, mask):
    out = []
    for name in TARGETS:
        m = mask[name]
        if m.any():
            out.append((pred[name][m] - target[name][m]).pow(2))
        else:
            out.append(pred[name].sum().view(1) * 0)
    return out


def sample_batch(n, bands=20):
    latent = torch.rand(n, 3)
    basis = torch.stack([torch.linspace(0, 1, bands), torch.linspace(1, 0, bands) ** 2,
                         torch.sin(torch.linspace(0, 3, bands))])
    x = latent @ basis + 0.03 * torch.randn(n, bands)
    target = {"ph": latent[:, 0] * 2 - 1, "carbon": latent[:, 1], "clay": latent[:, 2] - latent[:, 0]}
    mask = {k: torch.rand(n) < 0.8 for k in TARGETS}
    return x, target, mask


def train(iters=300):
    torch.manual_seed(66)
    net, combine = SoilNet(), WeightedSum(TARGETS)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for it in range(iters):
        x, target, mask = sample_batch(16)
        total = combine(masked_errors(net(x), target, mask))
        opt.zero_grad()
        total.backward()
        opt.step()
        if it % 50 == 0:
            print(it, total.item())


train()
