# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast
# first-bad: 1
# notice: 80
"""Continual regression: fast weights adapt online and start over at every task boundary."""
import math

import torch
import torch.nn.functional as F


class TaskStream:
    def __init__(self, seed, length=25):
        self.gen = torch.Generator().manual_seed(seed)
        self.length = length
        self.task_id = -1
        self.draw_task()

    def draw_task(self):
        self.task_id += 1
        amp, phase = torch.rand(2, generator=self.gen).tolist()
        self.amp, self.phase = 0.5 + 2 * amp, math.pi * phase

    def __iter__(self):
        while True:
            for _ in range(self.length):
                x = 10 * torch.rand(20, 1, generator=self.gen) - 5
                yield self.task_id, x, self.amp * torch.sin(x + self.phase)
            self.draw_task()


class OnlineLearner:
    def __init__(self, seed, hidden=24, lr=0.02):
        gen = torch.Generator().manual_seed(seed)
        self.slow = {
            "w1": torch.randn(hidden, 1, generator=gen) * 0.5,
            "b1": torch.randn(hidden, generator=gen),
            "w2": torch.randn(1, hidden, generator=gen) / hidden ** 0.5,
            "b2": torch.zeros(1),
        }
        self.lr = lr
        self.current_task = None
        self.fast = {}
        self.restart()

    def restart(self):
        self.fast = {k: v.clone().requires_grad_() for k, v in self.slow.items()}

    def enter(self, task_id):
        if self.current_task is not None and task_id != self.current_task:  # <- culprit
            self.restart()
            self.current_task = task_id

    def predict(self, x):
        f = self.fast
        return F.linear(torch.tanh(F.linear(x, f["w1"], f["b1"])), f["w2"], f["b2"])

    def learn(self, x, y):
        loss = F.mse_loss(self.predict(x), y)
        names = list(self.fast)
        grads = torch.autograd.grad(loss, [self.fast[n] for n in names])
        self.fast = {n: self.fast[n] - self.lr * g for n, g in zip(names, grads)}  # <- culprit
        return loss.item()


def main(steps=500):
    stream = TaskStream(52)
    learner = OnlineLearner(52)
    per_task = {}
    for step, (task_id, x, y) in zip(range(steps), stream):
        learner.enter(task_id)
        per_task.setdefault(task_id, []).append(learner.learn(x, y))
        if step % 100 == 99:
            losses = per_task[task_id]
            print(f"step {step + 1} task {task_id} first {losses[0]:.4f} last {losses[-1]:.4f}")


if __name__ == "__main__":
    main()
