# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F

from sampler import LossSampler


def main(steps=450, accumulate=2):
    torch.manual_seed(0)
    x = torch.randn(1000, 10)
    y = (x[:, :3].sum(1) > 0).long() + (x[:, 3] > 0.5).long()
    model = nn.Sequential(nn.Linear(10, 24), nn.GELU(), nn.Linear(24, 3))
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    sampler, best, bad = LossSampler(len(x), 32), float("inf"), 0
    for step in range(steps):
        opt.zero_grad()
        running = 0
        for _ in range(accumulate):
            idx = sampler.next()
            per_sample = F.cross_entropy(model(x[idx]), y[idx], reduction="none")
            (per_sample.mean() / accumulate).backward()
            sampler.record(idx, per_sample)
            running += per_sample.mean().item()
        opt.step()
        if step % 50 == 0:
            with torch.no_grad():
                val = F.cross_entropy(model(x), y)
            bad = 0 if val < best else bad + 1
            best = min(best, val)
            print(step, float(val), running, bad, len(sampler.visits))


if __name__ == "__main__":
    main()
