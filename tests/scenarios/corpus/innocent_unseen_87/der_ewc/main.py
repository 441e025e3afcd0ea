# gradwatch-corpus: kind=none
"""Online class-incremental learning: DER++ reservoir replay plus online EWC, six tasks in sequence."""
import random

import torch

from learner import ContinualLearner
from plugins import AccuracyMatrix, LossPlot, OnlineEWC, PluginList, ReplayStats
from tasks import task_sequence


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    random.seed(31)
    tasks = task_sequence(n_tasks=6, classes_per_task=2, dim=16)
    ewc = OnlineEWC(lam=20.0, gamma=0.9)
    matrix = AccuracyMatrix(tasks)
    learner = ContinualLearner(dim=16, classes=12, buffer=200, regulariser=ewc,
                               plugins=PluginList([ewc, matrix, LossPlot(), ReplayStats()]))
    for t, task in enumerate(tasks):
        learner.fit(t, task, iters=80)
        print(f"task {t} acc {' '.join(f'{a:.2f}' for a in matrix.rows[-1])}")
    print(f"average {matrix.average():.3f} forgetting {matrix.forgetting():.3f}")


if __name__ == "__main__":
    main()
