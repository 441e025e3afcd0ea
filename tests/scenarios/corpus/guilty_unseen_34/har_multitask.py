# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Activity recognition from wearable sensors, with a reconstruction head on the same encoder."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class SensorEncoder(nn.Module):
    def __init__(self, channels, width):
        super().__init__()
        self.conv1 = nn.Conv1d(channels, width, 5, padding=2)
        self.conv2 = nn.Conv1d(width, width, 5, stride=2, padding=2)
        self.norm = nn.GroupNorm(4, width)

    def forward(self, x):
        h = F.gelu(self.conv1(x))
        return F.gelu(self.norm(self.conv2(h)))


class MultiTaskNet(nn.Module):
    def __init__(self, channels=3, width=16, n_classes=4):
        super().__init__()
        self.encoder = SensorEncoder(channels, width)
        self.classifier = nn.Linear(width, n_classes)
        self.decoder = nn.Sequential(
            nn.Upsample(scale_factor=2),
            nn.Conv1d(width, channels, 3, padding=1),
        )

    def forward(self, x):
        z = self.encoder(x)
        return {"logits": self.classifier(z.mean(-1)), "recon": self.decoder(z)}


class TaskLoss:
    def __init__(self, name, fn, weight):
        self.name, self.fn, self.weight = name, fn, weight

    def __call__(self, outputs, batch):
        return self.weight * self.fn(outputs, batch)


class MultiTaskStep:
    """Runs one optimisation step over a list of tasks."""

    def __init__(self, model, tasks, optimizer):
        self.model = model
        self.tasks = tasks
        self.optimizer = optimizer

    def __call__(self, batch):
        self.optimizer.zero_grad()
        outputs = self.model(batch["x"])
        report = {}
        for task in self.tasks:
            loss = task(outputs, batch)
            loss.backward()  # <- culprit
            report[task.name] = loss.item()
        self.optimizer.step()
        return report


def fake_recordings(n=640, length=64):
    torch.manual_seed(2)
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 1, length)
    freq = (y + 1).float()[:, None] * 3
    base = torch.sin(2 * torch.pi * freq * t + torch.rand(n, 1) * 6)
    x = torch.stack([base, base.roll(5, 1), base * 0.5], 1) + 0.2 * torch.randn(n, 3, length)
    return TensorDataset(x, y)


def collate(samples):
    xs, ys = zip(*samples)
    return {"x": torch.stack(xs), "y": torch.stack(ys)}


def main():
    loader = DataLoader(fake_recordings(), batch_size=32, shuffle=True, collate_fn=collate)
    model = MultiTaskNet()
    tasks = [
        TaskLoss("activity", lambda out, b: F.cross_entropy(out["logits"], b["y"]), 1.0),
        TaskLoss("reconstruct", lambda out, b: F.mse_loss(out["recon"], b["x"]), 0.5),
    ]
    step = MultiTaskStep(model, tasks, torch.optim.Adam(model.parameters(), lr=1e-3))
    print("parameters:", sum(p.numel() for p in model.parameters()))
    for epoch in range(4):
        sums = {t.name: 0.0 for t in tasks}
        for batch in loader:
            for k, v in step(batch).items():
                sums[k] += v
        print(epoch, {k: round(v / len(loader), 4) for k, v in sums.items()})


if __name__ == "__main__":
    main()
