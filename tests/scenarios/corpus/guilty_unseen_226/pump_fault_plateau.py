# gradwatch-corpus: kind=graph-held
# holder: self.smooth | sched.smooth
# first-bad: 1
import numpy as np
import torch
from torch import nn


class SmoothedPlateau:
    """ReduceLROnPlateau reacts to noise too much, so smooth the loss first."""

    def __init__(self, optimizer, alpha=0.1, patience=15, factor=0.5):
        self.optimizer = optimizer
        self.alpha = alpha
        self.patience = patience
        self.factor = factor
        self.smooth = None
        self.best = float("inf")
        self.bad = 0

    def step(self, value):
        if self.smooth is None:
            self.smooth = value  # <- culprit
        else:
            self.smooth = self.smooth + self.alpha * (value - self.smooth)  # <- culprit
        if self.smooth < self.best - 1e-4:
            self.best = float(self.smooth)
            self.bad = 0
            return False
        self.bad += 1
        if self.bad < self.patience:
            return False
        for group in self.optimizer.param_groups:
            group["lr"] *= self.factor
        self.bad = 0
        return True


class PumpAutoencoder(nn.Module):
    def __init__(self, n_channels=6, width=20):
        super().__init__()
        self.enc = nn.Conv1d(n_channels, width, 5, padding=2)
        self.squeeze = nn.Conv1d(width, 4, 1)
        self.dec = nn.Conv1d(4, n_channels, 5, padding=2)

    def forward(self, x):
        z = torch.tanh(self.enc(x))
        z = self.squeeze(z)
        return self.dec(torch.tanh(z))


def vibration(n, rng, faulty=False):
    t = np.arange(128) / 128.0
    phase = rng.uniform(0, 2 * np.pi, size=(n, 6, 1))
    freq = rng.integers(3, 7, size=(n, 1, 1))
    x = np.sin(2 * np.pi * freq * t + phase)
    if faulty:
        x = x + 0.8 * np.sign(np.sin(2 * np.pi * 23 * t + phase))
    x = x + 0.05 * rng.normal(size=x.shape)
    return torch.from_numpy(x.astype(np.float32))


if __name__ == "__main__":
    rng = np.random.default_rng(42)
    torch.manual_seed(42)
    ae = PumpAutoencoder()
    opt = torch.optim.RMSprop(ae.parameters(), lr=4e-3)
    sched = SmoothedPlateau(opt)
    for i in range(180):
        x = vibration(24, rng)
        noisy = x + 0.1 * torch.randn_like(x)
        err = ae(noisy) - x
        loss = err.square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if sched.step(loss):  # <- culprit
            print(f"[{i}] lr lowered to {opt.param_groups[0]['lr']:.2e}")
        if i % 45 == 0:
            print(f"[{i}] mse {loss.item():.4f}")
    with torch.inference_mode():
        normal = vibration(64, rng)
        broken = vibration(64, rng, faulty=True)
        s0 = (ae(normal) - normal).square().mean((1, 2))
        s1 = (ae(broken) - broken).square().mean((1, 2))
    thr = s0.quantile(0.95)
    print(f"detected {(s1 > thr).float().mean().item():.2%} at 5% false alarms")
