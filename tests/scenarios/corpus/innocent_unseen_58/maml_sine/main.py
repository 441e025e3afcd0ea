# gradwatch-corpus: kind=none
import math

import torch

from learner import MetaLearner, SineNet


def sample_task():
    amp, phase = 0.1 + 4.9 * torch.rand(1), math.pi * torch.rand(1)

    def draw(n):
        x = 10 * torch.rand(n, 1) - 5
        return x, amp * torch.sin(x + phase)

    return draw(10), draw(10)


def main(iters=80, tasks=3):
    torch.manual_seed(21)
    torch.set_num_threads(1)
    net = SineNet()
    learner = MetaLearner(net)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    curve = []
    for it in range(iters):
        losses = []
        for _ in range(tasks):
            support, query = sample_task()
            learner.adapt(*support)
            losses.append(learner.query_loss(*query))
        meta = torch.stack(losses).mean()
        opt.zero_grad()
        meta.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        curve.append(float(meta.detach()))
        if it % 20 == 19:
            print(it, sum(curve[-20:]) / 20)


if __name__ == "__main__":
    main()
