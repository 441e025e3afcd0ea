# gradwatch-corpus: kind=none
from collections import defaultdict, deque

import torch
from torch import nn
import torch.nn.functional as F


class SmoothedValue:
    def __init__(self, window=30):
        self.window = deque(maxlen=window)
        self.total = 0.0
        self.count = 0

    def update(self, value):
        self.window.append(value)
        self.total += value.item()
        self.count += 1

    @property
    def median(self):
        return torch.stack(list(self.window)).median().item()

    @property
    def avg(self):
        return torch.stack(list(self.window)).mean().item()

    @property
    def global_avg(self):
        return self.total / max(1, self.count)

    def __str__(self):
        return f"{self.median:.4f} ({self.global_avg:.4f})"


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **metrics):
        for name, value in metrics.items():
            self.meters[name].update(value)

    def log_every(self, iterable, freq, header=""):
        for i, item in enumerate(iterable):
            yield i, item
            if i % freq == 0:
                line = "  ".join(f"{k}: {m}" for k, m in self.meters.items())
                print(f"{header} [{i}] {line}")


class PickNet(nn.Module):
    """Picks P-arrival on a one channel trace."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 8, 7, padding=3)
        self.conv2 = nn.Conv1d(8, 8, 7, padding=3)
        self.head = nn.Conv1d(8, 1, 1)

    def forward(self, trace):
        h = F.relu(self.conv1(trace))
        h = F.relu(self.conv2(h)) + h
        return self.head(h).squeeze(1)


def traces(n_batches, batch=12, length=64, seed=3):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length).float()
    for _ in range(n_batches):
        onset = torch.randint(8, 52, (batch,), generator=g)
        wave = torch.sin(0.9 * (t[None] - onset[:, None])) * torch.exp(-0.05 * (t[None] - onset[:, None]).clamp_min(0))
        signal = wave * (t[None] >= onset[:, None]) + 0.2 * torch.randn(batch, length, generator=g)
        yield signal.unsqueeze(1), onset


def main():
    torch.manual_seed(3)
    model = PickNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    logger = MetricLogger()
    for i, (x, onset) in logger.log_every(traces(450), 90, "train"):
        logits = model(x)
        pick_loss = F.cross_entropy(logits, onset)
        smooth = (logits[:, 1:] - logits[:, :-1]).pow(2).mean()
        loss = pick_loss + 1e-3 * smooth
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        logger.update(loss=loss, pick=pick_loss, smooth=smooth)
    print({k: round(m.avg, 4) for k, m in logger.meters.items()})


if __name__ == "__main__":
    main()
