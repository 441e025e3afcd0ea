import copy
import logging

import torch

log = logging.getLogger("toy_ddpm")


class TrainLoop:
    def __init__(self, model, diffusion, data, sampler, batch_size, lr, ema_rate=0.99):
        self.model, self.diffusion, self.data, self.sampler = model, diffusion, data, sampler
        self.batch_size = batch_size
        self.opt = torch.optim.AdamW(model.parameters(), lr=lr)
        self.ema = copy.deepcopy(model).requires_grad_(False)
        self.ema_rate = ema_rate
        self.step = 0

    def run(self, iterations):
        while self.step < iterations:
            x0 = self.data[torch.randint(len(self.data), (self.batch_size,))]
            self.run_step(x0)
            self.step += 1

    def run_step(self, x0):
        t, weights = self.sampler.sample(len(x0))
        losses = self.diffusion.training_losses(self.model, x0, t)
        loss = (losses * weights).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sampler.update(t, losses)  # <- culprit
        self.update_ema()
        if self.step % 35 == 0:
            log.info("step %d loss %.4f", self.step, loss.item())

    @torch.no_grad()
    def update_ema(self):
        for e, p in zip(self.ema.parameters(), self.model.parameters()):
            e.lerp_(p, 1 - self.ema_rate)
