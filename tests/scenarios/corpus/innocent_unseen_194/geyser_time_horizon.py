# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Eruptions:
    """Waiting times between eruptions depend on the last duration."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.clock = 0.0

    def next(self, n=16):
        long = torch.rand(n, generator=self.gen) < 0.6
        duration = torch.where(long, 4.3, 2.0) + 0.4 * torch.randn(n, generator=self.gen)
        wait = 33.0 + 10.7 * duration + 5.0 * torch.randn(n, generator=self.gen)
        temperature = 93.0 + torch.randn(n, generator=self.gen)
        self.clock += float(wait.mean()) / 60.0
        features = torch.stack([duration, (temperature - 93.0)], 1)
        return self.clock, features, wait / 60.0


class WaitingTime(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 16)
        self.mean = nn.Linear(16, 1)
        self.log_var = nn.Linear(16, 1)

    def forward(self, x):
        z = torch.tanh(self.hidden(x))
        return self.mean(z).squeeze(-1), self.log_var(z).squeeze(-1).clamp(-6, 3)


class Recent:
    def __init__(self, hours):
        self.hours = hours
        self.items = deque()

    def append(self, when, nll, width):
        self.items.append((when, nll, width))
        while when - self.items[0][0] > self.hours:
            self.items.popleft()

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)


def main():
    torch.manual_seed(19)
    model = WaitingTime()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    source = Eruptions(20)
    recent = Recent(hours=48)

    for i in range(500):
        when, features, wait = source.next()
        mean, log_var = model(features)
        nll = F.gaussian_nll_loss(mean, wait, log_var.exp())
        opt.zero_grad()
        nll.backward()
        opt.step()
        recent.append(when, nll, log_var.mul(0.5).exp().mean())
        if i % 75 == 74:
            average = sum(n.item() for _, n, _ in recent) / len(recent)
            width = max(w.item() for _, _, w in recent)
            print(f"t={when:6.1f} h: nll {average:.3f} over {len(recent)} eruptions, widest {width * 60:.1f} min")


if __name__ == "__main__":
    main()
