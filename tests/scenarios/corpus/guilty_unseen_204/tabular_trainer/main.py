# gradwatch-corpus: kind=graph-held
# holder: self.outputs | recorder.outputs
# first-bad: 1
import torch
from torch import nn

from callbacks import CallbackList, EpochRecorder, LRWarmup
from engine import Engine, EngineConfig


class TabularNet(nn.Module):
    def __init__(self, n_num, n_cat, width=24):
        super().__init__()
        self.cat = nn.Embedding(n_cat, 6)
        self.body = nn.Sequential(nn.Linear(n_num + 6, width), nn.SiLU(), nn.Linear(width, 1))

    def forward(self, num, cat):
        return self.body(torch.cat([num, self.cat(cat)], dim=1)).squeeze(1)


def make_batches(seed, n_batches, batch_size=32):
    gen = torch.Generator().manual_seed(seed)
    effect = torch.randn(7, generator=gen)
    slope = torch.randn(5, generator=gen)
    out = []
    for _ in range(n_batches):
        num = torch.randn(batch_size, 5, generator=gen)
        cat = torch.randint(0, 7, (batch_size,), generator=gen)
        out.append((num, cat, num @ slope + effect[cat]))
    return out


def main():
    torch.manual_seed(11)
    model = TabularNet(5, 7)
    recorder = EpochRecorder()
    callbacks = CallbackList([LRWarmup(20), recorder])
    engine = Engine(model, EngineConfig(lr=3e-3, epochs=15), callbacks)
    engine.fit(make_batches(3, 30))
    curve = recorder.curve(30)
    print("first %.4f last %.4f" % (curve[0], curve[-1]))


if __name__ == "__main__":
    main()
