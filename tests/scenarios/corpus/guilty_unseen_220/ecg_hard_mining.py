# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | sampler.difficulty | self.sampler.difficulty
# first-bad: 1
"""ECG beat classifier with difficulty-driven sampling of recordings."""
from dataclasses import dataclass
from dataclasses import field

import torch
import torch.nn as nn


@dataclass
class MiningConfig:
    power: float = 0.7
    floor: float = 0.05


@dataclass
class RunConfig:
    n_records: int = 1200
    length: int = 128
    n_classes: int = 5
    batch: int = 48
    steps: int = 120
    lr: float = 1e-2
    seed: int = 29
    mining: MiningConfig = field(default_factory=MiningConfig)


def simulate_beats(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    label = torch.randint(0, cfg.n_classes, (cfg.n_records,), generator=g)
    t = torch.linspace(-1, 1, cfg.length)
    centre = (label.float()[:, None] - 2) * 0.15
    qrs = torch.exp(-((t - centre) ** 2) / 0.005)
    wave = 0.3 * torch.exp(-((t - 0.5) ** 2) / (0.01 + 0.01 * label.float()[:, None]))
    noise = 0.4 * torch.randn(cfg.n_records, cfg.length, generator=g)
    return (qrs + wave + noise).unsqueeze(1), label


class HardRecordSampler:
    def __init__(self, n_records, cfg, seed):
        self.cfg = cfg
        self.difficulty = torch.ones(n_records)
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, n):
        score = self.difficulty.detach().clamp_min(self.cfg.floor)
        return torch.multinomial(score.pow(self.cfg.power), n, generator=self.gen)

    def report(self, index, per_record_loss):
        self.difficulty[index] = per_record_loss  # <- culprit


class BeatNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.stem = nn.Conv1d(1, 12, 9, padding=4)
        self.body = nn.Conv1d(12, 24, 5, stride=2, padding=2)
        self.fc = nn.Linear(24, n_classes)

    def forward(self, x):
        x = torch.relu(self.stem(x))
        x = torch.relu(self.body(x))
        return self.fc(x.amax(dim=-1))


class Trainer:
    def __init__(self, cfg):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.x, self.y = simulate_beats(cfg)
        self.net = BeatNet(cfg.n_classes)
        self.optim = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.sampler = HardRecordSampler(cfg.n_records, cfg.mining, cfg.seed)
        self.criterion = nn.CrossEntropyLoss(reduction="none")

    def step(self):
        index = self.sampler.draw(self.cfg.batch)
        losses = self.criterion(self.net(self.x[index]), self.y[index])
        self.optim.zero_grad()
        losses.mean().backward()
        self.optim.step()
        self.sampler.report(index, losses)  # <- culprit
        return losses.detach().mean().item()

    def run(self):
        for i in range(self.cfg.steps):
            value = self.step()
            if i % 24 == 0:
                print(f"[{i:03d}] loss={value:.4f}")


if __name__ == "__main__":
    Trainer(RunConfig()).run()
