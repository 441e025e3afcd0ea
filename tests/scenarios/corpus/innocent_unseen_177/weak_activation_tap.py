# gradwatch-corpus: kind=none
"""Keyword spotting net with taps on inner activations; the taps feed a
dead-unit report."""
import weakref

import torch
from torch import nn

torch.manual_seed(29)


class Tap:
    def __init__(self, name, module):
        self.name = name
        self.outputs = []
        self.latest = None
        self.handle = module.register_forward_hook(self)

    def __call__(self, module, inputs, output):
        self.outputs.append(weakref.ref(output))
        self.latest = output
        if len(self.outputs) > 64:
            self.outputs = [r for r in self.outputs if r() is not None]

    def dead_share(self):
        return (self.latest <= 0).all(dim=(0, 2)).float().mean().item()

    def alive(self):
        return sum(r() is not None for r in self.outputs)


class Spotter(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.blocks = nn.ModuleList()
        width = 8
        for nxt in (16, 24):
            self.blocks.append(nn.Sequential(nn.Conv1d(width, nxt, 3, padding=1, stride=2), nn.ReLU()))
            width = nxt
        self.cls = nn.Linear(width, words)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.cls(x.mean(-1))


class Clips:
    def __init__(self, words, frames):
        self.gen = torch.Generator().manual_seed(50)
        self.patterns = torch.randn(words, 8, frames, generator=self.gen)
        self.words = words

    def batch(self, n):
        y = torch.randint(0, self.words, (n,), generator=self.gen)
        shift = int(torch.randint(0, 4, (1,), generator=self.gen))
        x = self.patterns[y].roll(shift, -1)
        return x + torch.randn(x.shape, generator=self.gen), y


def main():
    clips = Clips(words=6, frames=32)
    net = Spotter(6)
    taps = {f"block{i}": Tap(f"block{i}", b) for i, b in enumerate(net.blocks)}
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
    activity_weight = 1e-4
    snapshots = []
    for it in range(600):
        x, y = clips.batch(16)
        task = nn.functional.cross_entropy(net(x), y)
        activity = sum(t.latest.abs().mean() for t in taps.values())
        loss = task + activity_weight * activity
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 60 == 59:
            snapshots.append({n: t.dead_share() for n, t in taps.items()})
            alive = {n: t.alive() for n, t in taps.items()}
            print(f"{it + 1} loss {task.item():.3f} dead {snapshots[-1]} alive {alive}")
    for t in taps.values():
        t.handle.remove()


if __name__ == "__main__":
    main()
