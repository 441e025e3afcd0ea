# gradwatch-corpus: kind=none
"""Plankton silhouettes, 16x16, with an effective batch of 64 in micro-batches of 16 (the ship's laptop has 2 GB).
The averaged weights are the ones evaluated."""
import copy
import itertools

import torch
from torch import nn
import torch.nn.functional as F

MICRO = 16
MICRO_PER_STEP = 4
STEPS = 200


class Silhouettes(torch.utils.data.IterableDataset):
    def __init__(self, seed):
        self.seed = seed
        axis = torch.linspace(-1, 1, 16)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def __iter__(self):
        rng = torch.Generator().manual_seed(self.seed)
        while True:
            label = int(torch.randint(4, (1,), generator=rng))
            cx, cy, size = (torch.rand(3, generator=rng) * torch.tensor([0.6, 0.6, 0.3])
                            + torch.tensor([-0.3, -0.3, 0.3])).tolist()
            x, y = self.xx - cx, self.yy - cy
            shape = (
                x.square() + y.square() < size ** 2,
                (x.abs() < size) & (y.abs() < size * 0.5),
                x.abs() + y.abs() < size * 1.2,
                (x.square() + y.square() < size ** 2) & (x.square() + y.square() > (0.5 * size) ** 2),
            )[label]
            noise = 0.3 * torch.randn(16, 16, generator=rng)
            yield (shape.float() + noise).unsqueeze(0), label


class Net(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 16, 3, padding=1)
        self.head = nn.Linear(16 * 16, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.c1(x)), 2)
        x = F.max_pool2d(F.relu(self.c2(x)), 2)
        return self.head(x.flatten(1))


class Ema:
    def __init__(self, net, decay=0.95):
        self.net = copy.deepcopy(net).requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, net):
        for a, b in zip(self.net.parameters(), net.parameters()):
            a.lerp_(b, 1 - self.decay)


@torch.inference_mode()
def accuracy(net, batch):
    x, y = batch
    return (net(x).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(0)
    stream = iter(torch.utils.data.DataLoader(Silhouettes(1), batch_size=MICRO))
    held_out = next(iter(torch.utils.data.DataLoader(Silhouettes(2), batch_size=128)))
    net = Net()
    ema = Ema(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

    done, running = 0, 0.0
    for i in itertools.count(1):
        x, y = next(stream)
        loss = F.cross_entropy(net(x), y) / MICRO_PER_STEP
        loss.backward()
        running += loss.item()
        if i % MICRO_PER_STEP:
            continue
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        ema.update(net)
        done += 1
        score = accuracy(ema.net, held_out) if done % 50 == 0 else None
        if score is not None:
            print(f"step {done}: loss {running / 50:.3f}, held-out {score:.2f}")
            running = 0.0
        if done == STEPS:
            break


if __name__ == "__main__":
    main()
