# gradwatch-corpus: kind=graph-held
# holder: self._store | self.features._store | learner.features._store | self._store[view]
# first-bad: 1
# notice: 8
"""Self-supervised pretraining (SimSiam + colour-jitter head) on synthetic shapes."""
import torch

from learner import Learner
from shapes import ShapeStream, TwoViews


def main():
    torch.set_num_threads(1)
    torch.manual_seed(99)
    stream = TwoViews(ShapeStream(size=12, batch=24, seed=5))
    learner = Learner(width=8, dim=16)
    opt = torch.optim.SGD(learner.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)
    for i, (a, b, shift) in zip(range(240), stream):
        losses = learner.losses(a, b, shift)
        loss = losses["siam"] + 0.3 * losses["jitter"]
        opt.zero_grad()
        loss.backward()
        opt.step()
        if i % 40 == 0:
            shown = ", ".join(f"{k}={v.item():.4f}" for k, v in losses.items())
            print(f"iter {i}: {shown}, std={learner.collapse_level(a):.3f}")


if __name__ == "__main__":
    main()
