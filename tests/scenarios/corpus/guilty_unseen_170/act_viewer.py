# gradwatch-corpus: kind=memory-climb
# holder: net.stem._forward_hooks | self.net.stem._forward_hooks | layer._forward_hooks | frame | self.viewer.layer._forward_hooks
# first-bad: 0
# notice: 60
"""Cell counting on small microscope crops with a viewer that pairs each crop with its activation energy."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(1, 8, 5, stride=2, padding=2)
        self.body = nn.Conv2d(8, 16, 3, stride=2, padding=1)
        self.density = nn.Conv2d(16, 1, 1)

    def forward(self, x):
        h = F.relu(self.stem(x))
        h = F.relu(self.body(h))
        return F.softplus(self.density(h)).sum(dim=(1, 2, 3))


class Tally:
    def __init__(self):
        self.energy = 0.0
        self.calls = 0

    def add(self, value):
        self.energy = 0.9 * self.energy + 0.1 * value
        self.calls += 1


def on_stem(tally, frame, module, args, output):
    """Energy of the stem where the frame of the shown batch is bright."""
    if args[0] is not frame:
        return
    mask = F.avg_pool2d(frame, 2) > 0.5
    tally.add(output.detach()[mask.expand_as(output)].abs().mean().item())


class Viewer:
    def __init__(self, layer):
        self.layer = layer
        self.tally = Tally()

    def show(self, frame):
        self.layer.register_forward_hook(functools.partial(on_stem, self.tally, frame))  # <- culprit


class Crops:
    def __init__(self, seed=9, size=56):
        self.gen = torch.Generator().manual_seed(seed)
        self.size = size

    def batch(self, n=32):
        x = 0.1 * torch.randn(n, 1, self.size, self.size, generator=self.gen)
        counts = torch.randint(2, 12, (n,), generator=self.gen)
        for i, c in enumerate(counts.tolist()):
            at = torch.randint(3, self.size - 3, (c, 2), generator=self.gen)
            for r, k in at.tolist():
                x[i, 0, r - 2:r + 3, k - 2:k + 3] += 1.0
        return x, counts.float()


class Trainer:
    def __init__(self):
        self.net = Counter()
        self.viewer = Viewer(self.net.stem)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)

    def step(self, x, y):
        self.viewer.show(x)  # <- culprit
        self.opt.zero_grad()
        loss = F.smooth_l1_loss(self.net(x) / 10, y / 10)
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    crops = Crops()
    trainer = Trainer()
    for it in range(120):
        loss = trainer.step(*crops.batch())
        if it % 30 == 0:
            print(it, round(loss, 4), "stem energy", round(trainer.viewer.tally.energy, 4))
    print("done", trainer.viewer.tally.calls)


if __name__ == "__main__":
    main()
