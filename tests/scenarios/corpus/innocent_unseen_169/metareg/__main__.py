# gradwatch-corpus: kind=none
import torch

from .learners import build
from .tasks import SineTasks

torch.set_num_threads(1)
torch.manual_seed(51)

STAGES = [
    {"learner": "first_order", "steps": 40, "inner": 2},
    {"learner": "maml", "steps": 60, "inner": 2},
    {"learner": "learned_lr", "steps": 40, "inner": 3},
]


def main():
    tasks = SineTasks(shots=8)
    weights, results = None, []
    for stage in STAGES:
        learner = build(stage["learner"], inner=stage["inner"], init=weights)
        for step in range(stage["steps"]):
            learner.meta_step([tasks.draw() for _ in range(3)])
        weights = learner.export()
        results.append((stage["learner"], learner.trail[0], learner.trail[-1]))
    for name, first, last in results:
        print(f"{name:12s} query loss {first:.3f} -> {last:.3f}")


if __name__ == "__main__":
    main()
