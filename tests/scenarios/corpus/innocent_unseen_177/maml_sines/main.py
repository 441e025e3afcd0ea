# gradwatch-corpus: kind=none
import torch

from inner import adapt, forward, init_weights
from tasks import SineTasks

META_STEPS = 450
TASKS_PER_STEP = 2
INNER_STEPS = 3


class MetaLearner:
    def __init__(self, lr):
        self.weights = init_weights(hidden=32, seed=3)
        self.inner_lr = torch.full((len(self.weights),), 0.02, requires_grad=True)
        self.opt = torch.optim.Adam([*self.weights, self.inner_lr], lr=lr)
        self.fast = {}
        self.trail = {}

    def step(self, tasks, i):
        self.opt.zero_grad()
        outer = 0.0
        for task in tasks:
            (xs, ys), (xq, yq) = task.split()
            fast, path = adapt(self.weights, self.inner_lr, xs, ys, INNER_STEPS)
            self.fast[task.key] = fast
            self.trail[task.key] = path
            outer = outer + (forward(fast, xq) - yq).pow(2).mean()
        outer = outer / len(tasks)
        outer.backward()
        self.opt.step()
        for key in list(self.trail)[:-4]:
            del self.trail[key], self.fast[key]
        return outer

    def summary(self):
        first = torch.stack([p[0] for p in self.trail.values()]).mean()
        last = torch.stack([p[-1] for p in self.trail.values()]).mean()
        return f"inner {first.item():.3f} -> {last.item():.3f}"


def main():
    torch.manual_seed(0)
    learner = MetaLearner(lr=2e-3)
    tasks = SineTasks(seed=21)
    average = None
    for i in range(META_STEPS):
        outer = learner.step([tasks.draw() for _ in range(TASKS_PER_STEP)], i)
        with torch.no_grad():
            average = outer if average is None else torch.lerp(average, outer, 0.05)
        if i % 75 == 74:
            print(i + 1, f"outer {float(average):.3f}", learner.summary(),
                  "lr", [round(v, 3) for v in learner.inner_lr.tolist()])


if __name__ == "__main__":
    main()
