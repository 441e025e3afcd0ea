import logging

import torch
from torch.nn import functional as F

from planner.config import PlannerConfig

log = logging.getLogger("planner")


class Runner:
    def __init__(self, model, cfg: PlannerConfig):
        self.model = model
        self.cfg = cfg
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.errors = []

    def step(self, day):
        predicted = self.model.forecast(day)
        loss = F.smooth_l1_loss(predicted, day.sales)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.model.assimilate(day, predicted)
        return loss.item()

    def run(self, stream):
        for day in stream:
            self.errors.append(self.step(day))
            if (day.index + 1) % self.cfg.log_every == 0:
                recent = self.errors[-self.cfg.log_every:]
                log.info("day %d  huber %.4f", day.index + 1, sum(recent) / len(recent))
