# gradwatch-corpus: kind=graph-held
# holder: self.records | sampler.records | self.sampler.records
# first-bad: 1
# notice: 8
import collections

import torch
torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(12)


class AdaptiveTimes:
    """Draws flow-matching times where the velocity error has been large lately."""

    def __init__(self, bins=10):
        self.bins = bins
        self.records = collections.defaultdict(list)

    def weights(self):
        w = torch.ones(self.bins)
        for b, errs in self.records.items():
            if len(errs) >= 5:
                w[b] = torch.stack(errs[-5:]).mean().item() ** 0.5 + 0.05
        return w

    def draw(self, n):
        b = torch.multinomial(self.weights(), n, replacement=True)
        return b, (b + torch.rand(n)) / self.bins

    def observe(self, bins, errors):
        for b, e in zip(bins.tolist(), errors):
            self.records[b].append(e)  # <- culprit


def mlp(*sizes):
    mods = []
    for a, b in zip(sizes, sizes[1:]):
        mods += [nn.Linear(a, b), nn.Softplus()]
    return nn.Sequential(*mods[:-1])


velocity = mlp(3, 40, 40, 2)
sampler = AdaptiveTimes()
optimiser = torch.optim.Adam(velocity.parameters(), 2e-3)
for it in range(350):
    angle = torch.rand(8) * 6.283
    data = torch.stack([angle.cos(), angle.sin()], 1)
    noise = torch.randn_like(data)
    bins, t = sampler.draw(8)
    x_t = t[:, None] * data + (1 - t[:, None]) * noise
    v = velocity(torch.cat([x_t, t[:, None]], 1))
    per_example = (v - (data - noise)).pow(2).mean(1)
    optimiser.zero_grad()
    per_example.mean().backward()
    optimiser.step()
    sampler.observe(bins, per_example)
    if it % 70 == 0:
        print(it, per_example.mean().item())
