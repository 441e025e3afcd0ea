from dataclasses import dataclass

import torch


@dataclass
class Plan:
    steps: int
    smooth_from: int
    lr: float = 0.03


class Fitter:
    def __init__(self, model, plan):
        self.model, self.plan = model, plan
        self.opt = torch.optim.Adam(model.parameters(), lr=plan.lr)
        self.history = []

    def phase(self, step):
        if step == self.plan.smooth_from:
            self.model.smooth = True
            print(f"step {step}: smoothing on")

    def run(self, scanner):
        for step in range(self.plan.steps):
            self.phase(step)
            signals, truth = scanner.acquire(8)
            loss = (self.model(signals) - truth).pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.history.append(loss.item())
            if step % 10 == 0:
                print(f"step {step:3d} mse {loss.item():.5f}")
