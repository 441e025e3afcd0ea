# gradwatch-corpus: kind=graph-held
# holder: self.path | self.path[name] | self.path[n] | si.path | si.path[name] | learner.reg.path | self.reg.path
# first-bad: 1
"""Continual learning on permuted feature tasks with synaptic intelligence (Zenke et al. 2017).

One head, two tasks, plain SGD with momentum.
"""
from __future__ import annotations

import torch

from learner import ContinualLearner, LearnerConfig
from tasks import PermutedTasks


def main() -> None:
    torch.manual_seed(11)
    cfg = LearnerConfig(in_dim=36, hidden=48, classes=6, lr=0.05, strength=0.4)
    stream = PermutedTasks(n_tasks=2, dim=cfg.in_dim, classes=cfg.classes, seed=5)
    learner = ContinualLearner(cfg)

    seen = []
    for task in stream:
        losses = learner.fit(task.batches(steps=260, size=32))
        seen.append(task)
        accs = [learner.accuracy(*t.test) for t in seen]
        print(f"task {task.index}: loss {losses[0]:.3f} -> {losses[-1]:.3f}  acc",
              " ".join(f"{a:.2f}" for a in accs))


if __name__ == "__main__":
    main()
