# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import math

import torch
from flow import Flow


def moons(n):
    t = math.pi * torch.rand(n)
    up = torch.rand(n) < 0.5
    x = torch.where(up, t.cos(), 1 - t.cos())
    y = torch.where(up, t.sin(), 0.5 - t.sin())
    xy = torch.stack([x, y], 1) + 0.07 * torch.randn(n, 2)
    return torch.cat([xy, torch.randn(n, 2)], 1)  # two noise dims


def evaluate(flow, n=512):
    flow.eval()
    with torch.no_grad():
        value = flow.nll(moons(n)).item()
    flow.train()
    return value


def train(iters=150, batch=128, lr=2e-3):
    flow = Flow()
    opt = torch.optim.Adam(flow.parameters(), lr=lr)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, iters)
    print("init nll", evaluate(flow))
    for it in range(iters):
        loss = flow.nll(moons(batch))
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(flow.parameters(), 5.0)
        opt.step()
        sched.step()
        if it % 25 == 0:
            print(it, loss.item(), evaluate(flow))
    return flow


if __name__ == "__main__":
    torch.manual_seed(17)
    torch.set_num_threads(1)
    train()
