# gradwatch-corpus: kind=none
"""Class-incremental learning with dark experience replay (DER++); the classifier grows with each task."""
import torch

from net import GrowingNet
from strategy import DERpp
from stream import class_incremental


def main():
    torch.set_num_threads(1)
    torch.manual_seed(17)
    tasks, test = class_incremental(n_tasks=5, classes_per_task=2)
    learner = DERpp(GrowingNet(dim=12, hidden=48), buffer_size=150)
    table = []
    for t, task in enumerate(tasks):
        learner.begin_task(task)
        learner.fit(task, steps=45)
        learner.end_task()
        row = [learner.accuracy(*test[j]) for j in range(t + 1)]
        table.append(row)
        print(f"task {t}: loss {learner.smooth:.3f} feat-drift {learner.drift:.4f} acc", [round(a, 2) for a in row])
    print("average accuracy", sum(table[-1]) / len(table[-1]))
    print("steps", len(learner.curve), "buffer", len(learner.buffer))


if __name__ == "__main__":
    main()
