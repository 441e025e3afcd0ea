from collections import deque

import torch.nn.functional as F


class Runner:
    def __init__(self, model, opt, log_every):
        self.model, self.opt = model, opt
        self.log_every = log_every
        self.mae = deque(maxlen=50)

    def train_step(self, batch):
        src, dst, feat, dur = batch
        pred = self.model(src, dst, feat)
        loss = F.smooth_l1_loss(pred, dur)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.mae.append((pred.detach() - dur).abs().mean().item())
        return loss.item()

    def fit(self, stream, steps):
        self.model.train()
        self.model.memory.reset()
        for i in range(steps):
            loss = self.train_step(stream.next())
            if i % self.log_every == 0:
                print(f"step {i:4d}  huber {loss:.4f}  mae {self.recent_mae():.3f}")

    def recent_mae(self):
        return sum(self.mae) / max(1, len(self.mae))
