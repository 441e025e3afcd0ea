import itertools
from dataclasses import dataclass

import torch


@dataclass
class Episode:
    task: object
    theta: dict
    memory: dict
    age: int = 0

    def put(self, theta, memory):
        self.theta, self.memory = theta, memory
        self.age += 1

    def truncate(self):
        self.theta = {n: t.detach().requires_grad_() for n, t in self.theta.items()}
        self.memory = {n: m.detach() for n, m in self.memory.items()}


class MetaTrainer:
    def __init__(self, rule, unroll, horizon, lr=2e-3):
        self.rule, self.unroll, self.horizon = rule, unroll, horizon
        self.opt = torch.optim.Adam(rule.parameters(), lr=lr)
        self.curve = []
        self.finished = []

    def episodes(self, make_task):
        for seed in itertools.count():
            task = make_task(seed)
            theta = task.init()
            episode = Episode(task, theta, self.rule.begin(theta))
            while episode.age < self.horizon:
                yield episode
            self.finished.append(episode)

    def roll(self, ep):
        total = 0.0
        for _ in range(self.unroll):
            loss = ep.task.loss(ep.theta)
            grads = torch.autograd.grad(loss, list(ep.theta.values()), retain_graph=True)
            ep.put(*self.rule(ep.theta, dict(zip(ep.theta, grads)), ep.memory))
            total = total + ep.task.loss(ep.theta)
        return total / self.unroll

    def train(self, make_task, n_updates):
        for u, ep in enumerate(itertools.islice(self.episodes(make_task), n_updates)):
            loss = self.roll(ep)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            ep.truncate()
            self.curve.append(loss.detach())
            if u % 64 == 0:
                print(f"update {u:3d} episode {len(self.finished)} age {ep.age} loss {loss.item():.4f}")
        print("last 50:", torch.stack(self.curve[-50:]).mean().item())
