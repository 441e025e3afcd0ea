import copy
from collections import namedtuple

import torch
import torch.nn.functional as F
from torch import nn

from runlog import RunLog

Terms = namedtuple("Terms", "total ce distill")


class ContinualExperiment:
    def __init__(self, dim, hidden, classes, steps_per_task, temperature=2.0):
        self.net = nn.Sequential(
            nn.Linear(dim, hidden),
            nn.LayerNorm(hidden),
            nn.GELU(),
            nn.Linear(hidden, classes),
        )
        self.teacher = None
        self.steps_per_task = steps_per_task
        self.temperature = temperature
        self.log = RunLog()
        self.optim = torch.optim.AdamW(self.net.parameters(), lr=2e-3)

    def distill(self, x, logits):
        if self.teacher is None:
            return logits.new_zeros(())
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / self.temperature, dim=-1)
        return F.kl_div(F.log_softmax(logits / self.temperature, -1), soft, reduction="batchmean")

    def terms(self, x, y):
        logits = self.net(x)
        ce = F.cross_entropy(logits, y)
        kd = self.distill(x, logits)
        return Terms(ce + 0.5 * kd, ce, kd)

    def train_task(self, task_id, task):
        for step in range(self.steps_per_task):
            x, y = task.sample(48)
            terms = self.terms(x, y)
            self.optim.zero_grad()
            terms.total.backward()
            self.optim.step()
            self.log.add(task_id, step, terms)  # <- culprit
        self.teacher = copy.deepcopy(self.net).requires_grad_(False)

    def report(self, task_id):
        ce, kd = self.log.summary(task_id)
        print(f"task {task_id}: ce {ce:.4f} distill {kd:.4f}")

    @torch.no_grad()
    def evaluate(self, tasks):
        scores = []
        for task in tasks:
            x, y = task.sample(200)
            acc = (self.net(x).argmax(1) == y).float().mean()
            scores.append(round(acc.item(), 3))
        return scores
