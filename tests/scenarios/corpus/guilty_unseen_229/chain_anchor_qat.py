# gradwatch-corpus: kind=graph-chain
# holder: self.slow[name] | self.slow | anchor.slow | self.anchor.slow
# first-bad: 1
"""Fine-tune a tiny defect classifier before int8 export, keeping weights near their slow average."""
import torch
from torch import nn


class TinyNet(nn.Module):
    def __init__(self, n_classes=4):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.dw = nn.Conv2d(8, 8, 3, padding=1, groups=8)
        self.pw = nn.Conv2d(8, 16, 1)
        self.head = nn.Linear(16, n_classes)

    def forward(self, x):
        x = nn.functional.relu6(self.stem(x))
        x = nn.functional.relu6(self.dw(x))
        x = nn.functional.relu6(self.pw(x))
        return self.head(x.mean(dim=(2, 3)))


class WeightAnchor:
    """Pulls each weight towards its own slow average, so that ranges settle before calibration."""

    def __init__(self, model, decay=0.95, strength=0.05):
        self.model = model
        self.decay = decay
        self.strength = strength
        self.slow = {n: p.detach().clone() for n, p in model.named_parameters()}

    def penalty(self):
        total = torch.zeros(())
        for name, p in self.model.named_parameters():
            blended = torch.lerp(self.slow[name], p, 1 - self.decay)  # <- culprit
            total = total + (p - blended).pow(2).sum()
            self.slow[name] = blended  # <- culprit
        return self.strength * total


def fake_patch_batch(n, gen):
    y = torch.randint(0, 4, (n,), generator=gen)
    x = 0.3 * torch.randn(n, 1, 20, 20, generator=gen)
    for i, c in enumerate(y.tolist()):
        r = 5 * (c // 2) + 4
        k = 8 * (c % 2) + 4
        x[i, 0, r:r + 4, k:k + 4] += 1.5
    return x, y


def int8_error(model):
    worst = 0.0
    for p in model.parameters():
        w = p.detach()
        scale = w.abs().max() / 127 + 1e-12
        q = (w / scale).round().clamp(-128, 127) * scale
        worst = max(worst, (q - w).abs().max().item())
    return worst


class FineTuner:
    def __init__(self, seed=3):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.model = TinyNet()
        self.anchor = WeightAnchor(self.model)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)

    def step(self):
        x, y = fake_patch_batch(24, self.gen)
        self.opt.zero_grad(set_to_none=True)
        ce = nn.functional.cross_entropy(self.model(x), y)
        loss = ce + self.anchor.penalty()
        loss.backward()
        self.opt.step()
        return ce.item()

    def fit(self, steps=100):
        for i in range(steps):
            ce = self.step()
            if (i + 1) % 25 == 0:
                print(f"[{i + 1}] ce={ce:.3f} int8 err={int8_error(self.model):.5f}")


if __name__ == "__main__":
    FineTuner().fit()
