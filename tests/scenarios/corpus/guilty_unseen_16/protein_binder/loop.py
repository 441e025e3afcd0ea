from dataclasses import dataclass

import torch
import torch.nn.functional as F


@dataclass
class Phases:
    warmup: int
    total: int
    tau_start: float = 2.0
    tau_end: float = 0.5

    def tau(self, step):
        return self.tau_start + (self.tau_end - self.tau_start) * step / self.total


class DesignLoop:
    def __init__(self, designer, predictor, assay, phases, batch=32):
        self.designer, self.predictor, self.assay = designer, predictor, assay
        self.phases, self.batch = phases, batch
        self.opt_designer = torch.optim.Adam(designer.parameters(), lr=2e-3)
        self.opt_predictor = torch.optim.Adam(predictor.parameters(), lr=2e-3)
        self.best = float("-inf")

    def fit_predictor(self, seqs, affinity):
        error = F.mse_loss(self.predictor(seqs), affinity)
        self.opt_predictor.zero_grad()
        error.backward()
        self.opt_predictor.step()  # <- culprit
        return error.item()

    def measure_designs(self, soft):
        hard = F.one_hot(soft.argmax(-1), soft.shape[-1]).float()
        affinity = self.assay.measure(hard)
        self.best = max(self.best, affinity.max().item())
        return hard, affinity

    def iteration(self, step):
        error = self.fit_predictor(*self.assay.library(self.batch))
        soft = self.designer(self.batch, self.phases.tau(step))
        scores = self.predictor(soft)
        spread = soft.mean(0).clamp_min(1e-6).log().mean()
        if step >= self.phases.warmup:
            hard, affinity = self.measure_designs(soft.detach())
            error = 0.5 * (error + self.fit_predictor(hard, affinity))  # <- culprit
        objective = -scores.mean() - 0.01 * spread
        self.opt_designer.zero_grad()
        objective.backward()
        self.opt_designer.step()
        return error, objective.item()

    def run(self):
        for step in range(self.phases.total):
            error, objective = self.iteration(step)
            if step % 20 == 0:
                print(f"{step:4d}  predictor {error:.3f}  objective {objective:+.3f}", flush=True)
