# gradwatch-corpus: kind=none
"""Soft-resampling particle filter with a learned proposal; the recent losses steer the step size."""
from collections import deque
import math

import torch
from torch import nn


class LossWindow:
    """The last few losses, compared half against half."""

    def __init__(self, size=24):
        self.items = deque(maxlen=size)

    def push(self, loss):
        self.items.append(loss)

    @property
    def full(self):
        return len(self.items) == self.items.maxlen

    @torch.no_grad()
    def improving(self):
        v = torch.stack(tuple(self.items))
        old, new = v.chunk(2)
        return bool(new.mean() < old.mean() + 1e-3)


class ParticleFilter(nn.Module):
    def __init__(self, n=32, soft=0.5):
        super().__init__()
        self.n, self.soft = n, soft
        self.proposal = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        self.log_obs = nn.Parameter(torch.tensor(0.0))

    def resample(self, x, logw):
        w = logw.softmax(-1)
        q = self.soft * w + (1 - self.soft) / self.n
        idx = torch.multinomial(q.detach(), self.n, replacement=True)
        new_w = torch.gather(w / q, 1, idx)
        return torch.gather(x, 1, idx), (new_w / new_w.sum(1, keepdim=True)).clamp_min(1e-6).log()

    def forward(self, ys):
        batch, length = ys.shape
        x = torch.zeros(batch, self.n)
        logw = torch.full((batch, self.n), -math.log(self.n))
        evidence = 0.0
        for t in range(length):
            y = ys[:, t:t + 1].expand(-1, self.n)
            shift, log_s = self.proposal(torch.stack([x, y], -1)).unbind(-1)
            q = torch.distributions.Normal(x + shift, log_s.clamp(-3, 1).exp())
            prior = torch.distributions.Normal(0.9 * x, 0.5)
            x = q.rsample()
            obs = torch.distributions.Normal(torch.tanh(x), self.log_obs.exp())
            inc = logw + prior.log_prob(x) - q.log_prob(x) + obs.log_prob(y)
            evidence = evidence + inc.logsumexp(1)
            x, logw = self.resample(x, inc)
        return -evidence.mean() / length


def series(batch, length):
    x, out = torch.zeros(batch), []
    for _ in range(length):
        x = 0.9 * x + 0.5 * torch.randn(batch)
        out.append(torch.tanh(x) + 0.2 * torch.randn(batch))
    return torch.stack(out, 1)


def main():
    torch.manual_seed(14)
    pf = ParticleFilter()
    opt = torch.optim.Adam(pf.parameters(), lr=5e-3)
    window = LossWindow()
    for it in range(420):
        loss = pf(series(8, 5))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(pf.parameters(), 1.0)
        opt.step()
        window.push(loss)
        if it % 24 == 23 and window.full and not window.improving():
            for g in opt.param_groups:
                g["lr"] = max(1e-4, g["lr"] * 0.8)
        if it % 70 == 0:
            print(it, round(loss.item(), 4), opt.param_groups[0]["lr"])


if __name__ == "__main__":
    main()
