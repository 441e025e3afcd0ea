# gradwatch-corpus: kind=graph-held
# holder: self.journal | bus.journal | self.bus.journal | spotter.bus.journal | event.payload["loss"] | event.payload
# first-bad: 1
"""Keyword spotting on log-mel patches. Everything that wants to know about training subscribes to the bus."""
import torch
import torch.nn.functional as F
from torch import nn

from bus import EventBus
from subscribers import ConfusionPrinter, LossMeter, PlateauStopper

WORDS = ["yes", "no", "stop", "go", "left", "right"]


class DepthwiseBlock(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.dw = nn.Conv1d(cin, cin, 5, stride=stride, padding=2, groups=cin)
        self.pw = nn.Conv1d(cin, cout, 1)
        self.bn = nn.BatchNorm1d(cout)

    def forward(self, x):
        return F.relu(self.bn(self.pw(self.dw(x))))


class SpotNet(nn.Module):
    def __init__(self, mels=20, width=32):
        super().__init__()
        self.blocks = nn.Sequential(
            DepthwiseBlock(mels, width), DepthwiseBlock(width, width, 2), DepthwiseBlock(width, width, 2))
        self.out = nn.Linear(width, len(WORDS))

    def forward(self, x):
        return self.out(self.blocks(x).mean(-1))


def utterances(batch_size=16, mels=20, frames=48, seed=21):
    gen = torch.Generator().manual_seed(seed)
    templates = torch.randn(len(WORDS), mels, frames, generator=gen)
    while True:
        y = torch.randint(len(WORDS), (batch_size,), generator=gen)
        shift = int(torch.randint(-4, 5, (1,), generator=gen))
        x = templates[y].roll(shift, dims=-1)
        yield x + 1.5 * torch.randn(x.shape, generator=gen), y


class Spotter:
    def __init__(self, bus, lr=3e-3):
        self.bus = bus
        self.net = SpotNet()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.should_stop = False
        bus.subscribe("stop_requested", self._stop)

    def _stop(self, event):
        self.should_stop = True

    def run(self, max_steps):
        self.bus.emit("train_begin", 0, words=WORDS)
        for step, (x, y) in enumerate(utterances()):
            if step == max_steps or self.should_stop:
                break
            logits = self.net(x)
            loss = F.cross_entropy(logits, y, label_smoothing=0.05)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.bus.emit("batch_end", step, loss=loss, predicted=logits.argmax(1), target=y)  # <- culprit
        self.bus.emit("train_end", step)


def main():
    torch.manual_seed(4)
    bus = EventBus()
    spotter = Spotter(bus)
    meter = LossMeter(bus)
    ConfusionPrinter(bus, len(WORDS), every=100)
    PlateauStopper(bus, meter, patience=10_000)
    spotter.run(300)
    print("batch_end events seen:", bus.count("batch_end"))


if __name__ == "__main__":
    main()
