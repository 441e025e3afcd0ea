# gradwatch-corpus: kind=none
"""Arrhythmia detector on synthetic beats; losses go through a pair of buffers.

The front buffer is filled during a block; at the block's end it becomes the back
buffer, from which the console line is made, and stays readable until the next flip.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)

BLOCK = 20
TAKE_EVERY = 4


class DoubleBuffer:
    def __init__(self):
        self._front, self._back = {}, {}

    def put(self, name, value):
        self._front.setdefault(name, []).append(value)

    def flip(self):
        self._front, self._back = self._back, self._front
        for values in self._front.values():
            del values[:]

    def read(self, name):
        values = self._back.get(name, ())
        return torch.stack(list(values)).mean() if values else torch.tensor(float("nan"))

    def names(self):
        return sorted(set(self._front) | set(self._back))


class BeatNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 7, padding=3)
        self.conv2 = nn.Conv1d(8, 8, 5, padding=2, stride=2)
        self.fc = nn.Linear(8, 3)

    def forward(self, x):
        h = F.relu(self.conv(x))
        h = F.relu(self.conv2(h))
        return self.fc(h.amax(-1))


def beats(n=24, length=48):
    t = torch.linspace(-1, 1, length)
    y = torch.randint(0, 3, (n,))
    width = torch.tensor([0.04, 0.12, 0.06])[y].unsqueeze(1)
    shift = torch.tensor([0.0, 0.0, 0.4])[y].unsqueeze(1) + 0.1 * torch.randn(n, 1)
    qrs = torch.exp(-((t - shift) ** 2) / (2 * width ** 2))
    return (qrs + 0.15 * torch.randn(n, length)).unsqueeze(1), y


def main():
    net = BeatNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    log = DoubleBuffer()
    for step in range(400):
        x, y = beats()
        logits = net(x)
        ce = F.cross_entropy(logits, y, reduction="none")
        loss = ce.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()

        if step % TAKE_EVERY == 1:
            log.put("loss", loss)
            for cls, name in enumerate(("normal", "pvc", "pac")):
                if (y == cls).any():
                    log.put(name, ce[y == cls].mean())
        if step % BLOCK == BLOCK - 1:
            log.flip()
            if (step + 1) % 100 == 0:
                print(step + 1, {n: round(log.read(n).item(), 4) for n in log.names()})


if __name__ == "__main__":
    main()
