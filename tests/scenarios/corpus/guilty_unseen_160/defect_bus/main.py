# gradwatch-corpus: kind=memory-climb
# holder: self.handlers["epoch_end"] | bus.handlers["epoch_end"] | self.handlers | bus.handlers | handlers | self.handlers[topic]
"""Detector of defects on rolled steel (synthetic), with an event bus for the side work."""
import numpy as np
import torch
from torch import nn

from bus import EventBus
from watchers import PatchWatcher, RateWatcher

torch.manual_seed(11)
torch.set_num_threads(1)
rng = np.random.default_rng(11)

SIDE, BATCH, STEPS = 36, 64, 180


class DefectNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 12, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4),
        )
        self.head = nn.Linear(12 * 16, 2)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))


def coils():
    while True:
        plates = rng.normal(0, 0.3, (BATCH, 1, SIDE, SIDE)).astype(np.float32)
        label = rng.integers(0, 2, BATCH)
        for i in np.nonzero(label)[0]:
            r, c = rng.integers(0, SIDE - 6, 2)
            plates[i, 0, r:r + 6, c:c + 3] += 1.5
        yield plates, label


def main():
    bus = EventBus()
    rate = RateWatcher()
    bus.subscribe("batch_end", rate.on_batch)
    net = DefectNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step, (plates, label) in zip(range(STEPS), coils()):
        watcher = PatchWatcher(step, plates)
        bus.subscribe("epoch_end", watcher.summarize)  # <- culprit
        logits = net(torch.from_numpy(plates))
        loss = nn.functional.cross_entropy(logits, torch.from_numpy(label))
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits = (logits.detach().argmax(1).numpy() == label).mean()
        bus.publish("batch_end", step=step, loss=loss.item(), hits=float(hits))
        if (step + 1) % 45 == 0:
            bus.publish("epoch_end", epoch=(step + 1) // 45, hits=rate.mean())
    print("seen", rate.count, "final hits", round(rate.mean(), 3))


if __name__ == "__main__":
    main()
