# gradwatch-corpus: kind=none
import math

import torch
import torch.nn.functional as F

from learner import InnerLoop, SineNet


def sample_task(k=8):
    amp = 0.5 + 2 * torch.rand(1)
    phase = math.pi * torch.rand(1)
    f = lambda x: amp * torch.sin(x + phase)
    xs, xq = 8 * torch.rand(k, 1) - 4, 8 * torch.rand(k, 1) - 4
    return xs, f(xs), xq, f(xq)


def meta_batch(inner, tasks):
    total, before = 0.0, 0.0
    for xs, ys, xq, yq in tasks:
        inner.adapt(xs, ys)
        total = total + F.mse_loss(inner.predict(xq), yq)
        before = before + inner.trace[0].detach()
    return total / len(tasks), before / len(tasks)


def main(iters=400, tasks_per_batch=2):
    torch.manual_seed(23)
    net = SineNet()
    inner = InnerLoop(net, steps=2)
    opt = torch.optim.Adam([*net.parameters(), *inner.lrs.parameters()], lr=1e-3)
    smooth = None
    curve = []
    for it in range(iters):
        loss, before = meta_batch(inner, [sample_task() for _ in range(tasks_per_batch)])
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        curve.append((before, smooth))
        if it % 80 == 0:
            print(f"iter {it} pre-adapt {before.item():.3f} post-adapt {smooth:.3f}")
    return curve


if __name__ == "__main__":
    main()
