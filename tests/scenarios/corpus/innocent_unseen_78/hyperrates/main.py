# gradwatch-corpus: kind=none
"""Learns per-tensor step sizes by differentiating through short stretches of training."""
import torch

from learner import Unrolled
from tasks import Wave


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(19)
    learner = Unrolled(width=20)
    meta_opt = torch.optim.Adam(learner.rates.parameters(), lr=0.02)
    task = Wave()
    stretch = 3
    since = 0
    trace = []
    for step in range(220):
        x, y = task.batch(32)
        trace.append(learner.step(x, y))
        since += 1
        if since < stretch:
            continue
        outer = learner.loss(*task.batch(64))
        meta_opt.zero_grad()
        outer.backward(inputs=list(learner.rates.parameters()))
        meta_opt.step()
        learner.cut()
        since = 0
        stretch = min(7, 3 + step // 50)
        if len(trace) >= 40:
            print(f"{step + 1:4d} train {sum(trace) / len(trace):.4f} outer {outer.item():.4f} rates {learner.rates.summary()}")
            trace.clear()


if __name__ == "__main__":
    main()
