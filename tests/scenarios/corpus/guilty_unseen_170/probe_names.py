# gradwatch-corpus: kind=memory-climb
# holder: self.board | board | probes.board | session.probes.board
# first-bad: 0
# notice: 60
"""Keyword spotting on synthetic spectrograms, with a drift board comparing activations of the first layers."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from types import SimpleNamespace


class Spotter(nn.Module):
    def __init__(self, classes=8):
        super().__init__()
        self.conv1 = nn.Conv1d(20, 48, 5, padding=2)
        self.conv2 = nn.Conv1d(48, 48, 5, padding=2, stride=2)
        self.head = nn.Linear(48, classes)

    def features(self, x):
        low = F.relu(self.conv1(x))
        high = F.relu(self.conv2(low))
        return low, high

    def forward(self, x):
        low, high = self.features(x)
        return self.head(high.mean(-1)), low, high


class DriftProbes:
    """Compares the activations of this step with those of the step before."""

    def __init__(self):
        self.board = SimpleNamespace()
        self.board.drift_low = 0.0
        self.board.drift_high = 0.0

    def slot(self, layer, step):
        return f"{layer}_at_{step:05d}"

    def write(self, layer, step, act):
        setattr(self.board, self.slot(layer, step), act.detach().clone())  # <- culprit

    def compare(self, layer, step):
        now = getattr(self.board, self.slot(layer, step))
        old = getattr(self.board, self.slot(layer, step - 1), None)
        if old is None:
            return 0.0
        return (now.mean(0) - old.mean(0)).norm().item()

    def update(self, step, low, high):
        for layer, act in (("low", low), ("high", high)):
            self.write(layer, step, act)
            setattr(self.board, f"drift_{layer}", self.compare(layer, step))


class Session:
    def __init__(self):
        self.net = Spotter()
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-3)
        self.probes = DriftProbes()
        self.right = 0
        self.seen = 0

    def train_step(self, step, x, y):
        self.opt.zero_grad(set_to_none=True)
        logits, low, high = self.net(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        loss.backward()
        self.opt.step()
        self.right += int((logits.argmax(1) == y).sum())
        self.seen += len(y)
        self.probes.update(step, low, high)
        return loss.item()


def sample(gen, size=24, frames=120):
    y = torch.randint(0, 8, (size,), generator=gen)
    x = torch.randn(size, 20, frames, generator=gen)
    x[torch.arange(size), y * 2] += 1.2
    return x, y


def main():
    torch.manual_seed(11)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(5)
    session = Session()
    for step in range(110):
        loss = session.train_step(step, *sample(gen))
        if step % 20 == 0:
            b = session.probes.board
            print(f"{step:4d} {loss:.4f} drift {b.drift_low:.3f}/{b.drift_high:.3f}")
    print("accuracy", session.right / session.seen)


if __name__ == "__main__":
    main()
