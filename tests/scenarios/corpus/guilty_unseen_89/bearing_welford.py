# gradwatch-corpus: kind=graph-held
# holder: stats.mean | stats.m2 | stats
# first-bad: 1
# notice: 8
"""Bearing fault classifier on vibration spectra, with a running per-unit activation summary for the final report."""
import types

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(101)

N_BINS, N_FAULTS = 40, 4
STEPS = 300


def attach_summary(layer):
    """Running mean / variance of a layer's units (Welford), over every batch that passes."""
    stats = types.SimpleNamespace(n=0, mean=torch.zeros(layer.out_features), m2=torch.zeros(layer.out_features))

    def watch(module, args, output):
        if not module.training:
            return
        units = output.mean(dim=0)  # <- culprit
        stats.n += 1
        delta = units - stats.mean
        stats.mean = stats.mean + delta / stats.n  # <- culprit
        stats.m2 = stats.m2 + delta * (units - stats.mean)  # <- culprit

    handle = layer.register_forward_hook(watch)

    def report():
        std = (stats.m2 / max(stats.n - 1, 1)).sqrt()
        return stats.mean, std

    return handle, report


def spectra(batch):
    kind = torch.randint(0, N_FAULTS, (batch,))
    freq = torch.arange(N_BINS).float()
    centre = 6.0 + 8.0 * kind[:, None].float()
    peak = torch.exp(-0.5 * ((freq - centre) / 1.5) ** 2)
    return peak + 0.5 * torch.rand(batch, N_BINS), kind


class SpectrumNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Linear(N_BINS, 32)
        self.mid = nn.Linear(32, 32)
        self.head = nn.Linear(32, N_FAULTS)

    def forward(self, x):
        h = torch.relu(self.enc(x))
        h = torch.relu(self.mid(h))
        return self.head(h)


net = SpectrumNet()
handle, summary = attach_summary(net.mid)
optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()

for step in range(STEPS):
    x, kind = spectra(48)
    optimizer.zero_grad()
    logits = net(x)
    loss = criterion(logits, kind)
    loss.backward()
    optimizer.step()
    if step % 60 == 59:
        net.eval()
        with torch.no_grad():
            vx, vk = spectra(200)
            acc = (net(vx).argmax(1) == vk).float().mean().item()
        net.train()
        print(f"[{step + 1:3d}] loss={loss.item():.4f} val_acc={acc:.3f}")

handle.remove()
mean, std = summary()
quiet = int((std < 0.05).sum())
print(f"mid layer: mean level {mean.mean().item():.3f}, {quiet} quiet units of {len(std)}")
