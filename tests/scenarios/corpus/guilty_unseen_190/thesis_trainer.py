# gradwatch-corpus: kind=graph-held
# holder: self.history["train"] | self.history | trainer.history["train"]
# first-bad: 1
import collections
import dataclasses

import torch
import torch.nn as nn


@dataclasses.dataclass
class Config:
    lr: float = 2e-3
    batch: int = 32
    epochs: int = 18
    hidden: int = 48
    seed: int = 7
    beta: float = 0.1


class SensorFusion(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.imu = nn.Sequential(nn.Linear(6, cfg.hidden), nn.Tanh())
        self.gps = nn.Sequential(nn.Linear(3, cfg.hidden), nn.Tanh())
        self.gate = nn.Linear(2 * cfg.hidden, cfg.hidden)
        self.out = nn.Linear(cfg.hidden, 2)

    def forward(self, imu, gps):
        a, b = self.imu(imu), self.gps(gps)
        g = torch.sigmoid(self.gate(torch.cat([a, b], -1)))
        return self.out(g * a + (1 - g) * b), g


class Trainer:
    def __init__(self, cfg):
        torch.manual_seed(cfg.seed)
        self.cfg = cfg
        self.model = SensorFusion(cfg)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 200, 0.5)
        self.history = collections.defaultdict(list)
        self.global_step = 0
        self._build_data()

    def _build_data(self):
        n = 800
        self.imu = torch.randn(n, 6)
        self.gps = torch.randn(n, 3)
        self.pos = torch.stack([self.imu[:, 0] * 0.5 + self.gps[:, 0],
                                self.imu[:, 3] * 0.5 + self.gps[:, 1]], 1)

    def batches(self):
        perm = torch.randperm(len(self.pos))
        for chunk in perm.split(self.cfg.batch):
            yield self.imu[chunk], self.gps[chunk], self.pos[chunk]

    def log(self, split, **kw):
        kw["step"] = self.global_step
        self.history[split].append(kw)

    def train_step(self, imu, gps, pos):
        pred, gate = self.model(imu, gps)
        mse = nn.functional.smooth_l1_loss(pred, pos)
        ent = -(gate * torch.log(gate + 1e-6)).mean()
        loss = mse + self.cfg.beta * ent
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.sched.step()
        self.log("train", mse=mse, lr=self.sched.get_last_lr()[0])  # <- culprit
        self.global_step += 1

    @torch.no_grad()
    def evaluate(self):
        pred, _ = self.model(self.imu, self.gps)
        self.log("val", mse=nn.functional.mse_loss(pred, self.pos).item())

    def fit(self):
        for epoch in range(self.cfg.epochs):
            for batch in self.batches():
                self.train_step(*batch)
            self.evaluate()
            print(epoch, self.history["val"][-1])


if __name__ == "__main__":
    trainer = Trainer(Config())
    trainer.fit()
