# gradwatch-corpus: kind=none
import torch
from torch import nn

from loop import Loop, LoopConfig
from observers import BestState, OutputHistory


class WindowNet(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.conv = nn.Conv1d(2, 6, 3, padding=1)
        self.head = nn.Linear(6 * width, 1)

    def forward(self, x):
        return self.head(torch.relu(self.conv(x)).flatten(1)).squeeze(1)


def windows(steps, seed):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        x = torch.randn(24, 2, 20, generator=gen)
        yield x, x[:, 0, 5:9].sum(1) - x[:, 1, 10:14].mean(1)


def main():
    torch.manual_seed(1)
    history, best = OutputHistory(), BestState(every=25)
    loop = Loop(WindowNet(), LoopConfig(lr=3e-3), [history, best])
    loop.run(windows(450, seed=2))
    print(len(history.outputs), round(history.smoothed(), 4), best.score)


if __name__ == "__main__":
    main()
