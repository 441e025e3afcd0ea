# gradwatch-corpus: kind=graph-held
# holder: self.head.weight._backward_hooks | net.head.weight._backward_hooks | net.head.weight | self.head.weight
# first-bad: 1
# notice: 8
"""Concentration regression from synthetic spectra; tracks how strongly the head's
gradient depends on the size of the features that reached it."""
import torch
from torch import nn, optim

torch.manual_seed(99)
torch.set_num_threads(1)


def make_spectra(n, bands=40, compounds=3):
    grid = torch.linspace(0, 1, bands)
    centres = torch.tensor([0.25, 0.5, 0.8])
    conc = torch.rand(n, compounds)
    peaks = torch.exp(-((grid[None] - centres[:, None]) ** 2) / 0.006)
    spectra = conc @ peaks + 0.03 * torch.randn(n, bands)
    return spectra, conc


class SensitivityMeter:
    def __init__(self):
        self.ratio = 0.0
        self.calls = 0

    def update(self, grad, feats):
        with torch.no_grad():
            r = grad.norm() / (feats.norm() + 1e-6)
        self.ratio += r.item()
        self.calls += 1

    @property
    def mean(self):
        return self.ratio / max(self.calls, 1)


class SpectraNet(nn.Module):
    def __init__(self, bands, compounds, meter):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(bands, 48), nn.SiLU(), nn.Linear(48, 24), nn.SiLU()
        )
        self.head = nn.Linear(24, compounds)
        self.meter = meter

    def _watch_head(self, feats):
        def on_grad(grad):
            self.meter.update(grad, feats)

        self.head.weight.register_hook(on_grad)  # <- culprit

    def forward(self, x):
        feats = self.trunk(x)
        if self.training:
            self._watch_head(feats)  # <- culprit
        return self.head(feats)


def train(net, steps=220, batch=32):
    optimizer = optim.SGD(net.parameters(), lr=0.08, momentum=0.9)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for i in range(1, steps + 1):
        x, c = make_spectra(batch)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(net(x), c)
        loss.backward()
        optimizer.step()
        scheduler.step()
        if i % 44 == 0:
            print(f"[{i}/{steps}] mse={loss.item():.5f} sensitivity={net.meter.mean:.4f}")


def evaluate(net):
    net.eval()
    with torch.no_grad():
        x, c = make_spectra(256)
        return (net(x) - c).abs().mean().item()


if __name__ == "__main__":
    net = SpectraNet(40, 3, SensitivityMeter())
    train(net)
    print(f"test MAE {evaluate(net):.4f}")
