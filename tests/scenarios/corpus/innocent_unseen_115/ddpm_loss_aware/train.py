"""Training loop; see main.py for the configuration."""
import copy
from collections import deque

import torch

from ema import ModelEMA


class TrainLoop:
    def __init__(self, model, diffusion, sampler, data, *, lr, batch_size, microbatch, steps, log_interval):
        self.model, self.diffusion, self.sampler, self.data = model, diffusion, sampler, data
        self.batch_size, self.microbatch = batch_size, microbatch
        self.steps, self.log_interval = steps, log_interval
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.ema = ModelEMA(model, rate=0.99)
        self.window = deque(maxlen=25)
        self.best, self.best_state = float("inf"), None
        self.curve = []

    def run(self):
        for step in range(self.steps):
            self.window.append(self.run_step())
            if (step + 1) % self.log_interval == 0:
                avg = torch.stack(list(self.window)).mean().item()
                self.curve.append(avg)
                if avg < self.best:
                    self.best, self.best_state = avg, copy.deepcopy(self.ema.params)
                print(f"step {step + 1:4d}  weighted mse {avg:.4f}  sampler warm {self.sampler.warmed_up()}")
        return self.best_state

    def run_step(self):
        batch = self.data(self.batch_size)
        self.opt.zero_grad()
        total = 0.0
        for i in range(0, self.batch_size, self.microbatch):
            micro = batch[i:i + self.microbatch]
            t, weights = self.sampler.sample(micro.size(0))
            losses = self.diffusion.training_losses(self.model, micro, t)
            self.sampler.update_with_losses(t, losses.detach())
            loss = (losses * weights).mean() * micro.size(0) / self.batch_size
            loss.backward()
            total = total + loss
        self.opt.step()
        self.ema.update(self.model)
        return total
