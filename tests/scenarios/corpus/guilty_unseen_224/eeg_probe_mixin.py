# gradwatch-corpus: kind=graph-held
# holder: self.taps | trainer.taps
# first-bad: 1
"""Sleep staging from two-channel EEG; taps on inner layers feed a report."""
import torch
from torch import nn


class SpindleBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 7, stride=stride, padding=3)
        self.norm = nn.GroupNorm(4, cout)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class StageNet(nn.Module):
    def __init__(self, stages=5):
        super().__init__()
        self.early = SpindleBlock(2, 8, 4)
        self.late = SpindleBlock(8, 16, 4)
        self.out = nn.Linear(16, stages)

    def forward(self, x):
        z = self.late(self.early(x))
        return self.out(z.mean(dim=2))


class TapMixin:
    """Summarises what chosen layers put out at each step."""

    tap_names = ()

    def install_taps(self):
        self.taps = {name: [] for name in self.tap_names}
        for name, module in self.model.named_modules():
            if name in self.tap_names:
                module.register_forward_hook(self._make_tap(name))

    def _make_tap(self, name):
        def tap(module, args, output):
            energy = output.pow(2).mean(dim=(0, 2))
            self.taps[name].append(energy)  # <- culprit
        return tap

    def tap_report(self):
        for name, rows in self.taps.items():
            first = rows[0].sum().item()
            last = rows[-1].sum().item()
            yield f"{name}: energy {first:.3f} -> {last:.3f}"


class AccuracyMixin:
    hits = 0
    total = 0

    def count(self, logits, target):
        self.hits += (logits.argmax(1) == target).sum().item()
        self.total += len(target)


class BaseTrainer:
    lr = 1e-3

    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.NAdam(model.parameters(), lr=self.lr)
        self.ce = nn.CrossEntropyLoss(label_smoothing=0.05)

    def step(self, x, y):
        self.opt.zero_grad()
        logits = self.model(x)
        self.ce(logits, y).backward()
        self.opt.step()
        return logits


class SleepTrainer(TapMixin, AccuracyMixin, BaseTrainer):
    tap_names = ("early", "late.norm")
    lr = 4e-3

    def night(self, windows):
        self.install_taps()
        for x, y in windows:
            logits = self.step(x, y)
            self.count(logits, y)


def recordings(n, batch, length):
    t = torch.linspace(0, 3, length)
    for _ in range(n):
        y = torch.randint(0, 5, (batch,))
        freq = torch.tensor([25.0, 12.0, 14.0, 2.0, 8.0])[y]
        clean = torch.sin(freq[:, None] * 6.28 * t)
        x = torch.stack([clean, clean.roll(5, 1)], dim=1)
        yield x + 0.5 * torch.randn_like(x), y


if __name__ == "__main__":
    torch.manual_seed(31)
    trainer = SleepTrainer(StageNet())
    trainer.night(recordings(110, 16, 384))
    print("accuracy", round(trainer.hits / trainer.total, 3))
    for line in trainer.tap_report():
        print(line)
