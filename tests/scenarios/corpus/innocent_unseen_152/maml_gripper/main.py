# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call

from tasks import task_stream


@dataclass
class MetaConfig:
    inner_steps: int = 2
    inner_lr: float = 0.1
    outer_lr: float = 3e-3
    tasks: int = 3
    shots: int = 8
    rounds: int = 90
    first_order_until: int = 30


class MetaLearner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
        self.outer = torch.optim.Adam(self.net.parameters(), cfg.outer_lr)
        self.curve = []

    def loss(self, weights, x, y):
        return nn.functional.mse_loss(functional_call(self.net, weights, (x,)), y)

    def adapt(self, task, second_order):
        weights = dict(self.net.named_parameters())
        for _ in range(self.cfg.inner_steps):
            support = self.loss(weights, *task.sample(self.cfg.shots))
            grads = torch.autograd.grad(support, list(weights.values()), create_graph=second_order)
            weights = {name: w - self.cfg.inner_lr * g for (name, w), g in zip(weights.items(), grads)}
        return weights

    def meta_step(self, tasks, number):
        second_order = number >= self.cfg.first_order_until
        total = torch.zeros(())
        for task in tasks:
            weights = self.adapt(task, second_order)
            total = total + self.loss(weights, *task.sample(self.cfg.shots))
        total = total / len(tasks)
        self.outer.zero_grad()
        total.backward()
        self.outer.step()
        self.curve.append(total.item())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(100)
    cfg = MetaConfig()
    learner = MetaLearner(cfg)
    for number, tasks in zip(range(cfg.rounds), task_stream(cfg.tasks, seed=101)):
        learner.meta_step(tasks, number)
        if number % 15 == 14:
            print(f"round {number + 1:3d}  query mse {sum(learner.curve[-15:]) / 15:.4f}")


if __name__ == "__main__":
    main()
