# gradwatch-corpus: kind=second-backward
# holder: self.recent | trainer.recent
# first-bad: 1
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
from torch import nn


def render(seed, n=24, size=12):
    """Images of a bright bar and its angle; slow in numpy, so done ahead in a pool."""
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, np.pi, n)
    yy, xx = np.mgrid[-1:1:size * 1j, -1:1:size * 1j]
    dist = xx[None] * np.sin(angle)[:, None, None] - yy[None] * np.cos(angle)[:, None, None]
    image = np.exp(-(dist / 0.2) ** 2) + 0.1 * rng.standard_normal((n, size, size))
    target = np.stack([np.cos(2 * angle), np.sin(2 * angle)], 1)
    return torch.from_numpy(image).float().unsqueeze(1), torch.from_numpy(target).float()


def prefetch(pool, seeds, ahead=3):
    waiting = deque()
    for seed in seeds:
        waiting.append(pool.submit(render, seed))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


class Trainer:
    def __init__(self, net, lr=2e-3, window=3, weight=0.2):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.recent = deque(maxlen=window)
        self.weight = weight
        self.outcomes = Counter()

    def smoothed(self, loss):
        if not self.recent:
            return loss
        return (1 - self.weight) * loss + self.weight * torch.stack(tuple(self.recent)).mean()  # <- culprit

    def step(self, image, target):
        loss = nn.functional.mse_loss(self.net(image), target)
        self.opt.zero_grad()
        try:
            self.smoothed(loss).backward()
        except RuntimeError as err:
            self.outcomes[type(err).__name__] += 1
            self.recent.clear()
        else:
            self.opt.step()
            self.outcomes["ok"] += 1
            self.recent.append(loss)  # <- culprit
        return loss.item()


def main():
    torch.manual_seed(5)
    net = nn.Sequential(
        nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(6 * 25, 32), nn.ReLU(), nn.Linear(32, 2),
    )
    trainer = Trainer(net)
    with ThreadPoolExecutor(max_workers=2) as pool:
        for i, (image, target) in enumerate(prefetch(pool, range(140))):
            value = trainer.step(image, target)
            if i % 35 == 0:
                print(f"{i:4d}  {value:.4f}")
    print("outcomes:", dict(trainer.outcomes))


if __name__ == "__main__":
    main()
