from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class MetaConfig:
    seed: int = 6
    meta_iters: int = 75
    tasks_per_batch: int = 4
    inner_steps: int = 3
    inner_lr: float = 0.03
    outer_lr: float = 2e-3


class MetaTrainer:
    def __init__(self, learner, cfg):
        self.learner, self.cfg = learner, cfg
        self.log_lr = torch.nn.Parameter(torch.tensor(cfg.inner_lr).log())
        self.opt = torch.optim.Adam([*learner.parameters(), self.log_lr], lr=cfg.outer_lr)
        self.adapted = {}

    def adapt(self, ep):
        fast = list(self.learner.params)
        for _ in range(self.cfg.inner_steps):
            loss = F.mse_loss(self.learner(ep.xs, fast), ep.ys)
            grads = torch.autograd.grad(loss, fast, create_graph=True)
            fast = [w - self.log_lr.exp() * g for w, g in zip(fast, grads)]
        return fast

    def meta_step(self, episodes):
        total = 0.0
        for i, ep in enumerate(episodes):
            fast = self.adapt(ep)
            total = total + F.mse_loss(self.learner(ep.xq, fast), ep.yq)
            self.adapted[i] = [w.detach().clone() for w in fast]
        total = total / len(episodes)
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        return total.item()
