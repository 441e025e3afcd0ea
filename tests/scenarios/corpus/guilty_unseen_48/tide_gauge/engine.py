from dataclasses import dataclass

import torch
import torch.nn.functional as F

from meters import MeterBook


@dataclass
class EngineConfig:
    epochs: int = 3
    steps: int = 30
    batch: int = 64
    lr: float = 2e-3
    clip: float = 5.0

    def __post_init__(self):
        if self.batch % 8:
            raise ValueError("batch must be a multiple of 8")


class Engine:
    def __init__(self, net, data, cfg):
        self.net, self.data, self.cfg = net, data, cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=cfg.lr)
        self.gen = torch.Generator().manual_seed(1)
        self.book = MeterBook(loss="mean", mae="mean", grad="peak")

    def objective(self, past, future):
        raise NotImplementedError

    def one_step(self):
        past, future = self.data.sample(self.cfg.batch, self.gen)
        self.opt.zero_grad()
        out = self.objective(past, future)
        out["loss"].backward()
        grad = torch.nn.utils.clip_grad_norm_(self.net.parameters(), self.cfg.clip)
        self.opt.step()
        self.book.update(len(past), grad=grad.item(), **out)  # <- culprit

    def run(self):
        for epoch in range(self.cfg.epochs):
            self.book.reset()
            for _ in range(self.cfg.steps):
                self.one_step()
            yield f"epoch {epoch}: {self.book}"


class ForecastEngine(Engine):
    def objective(self, past, future):
        pred = self.net(past)
        with torch.no_grad():
            mae = (pred - future).abs().mean()
        return {"loss": F.smooth_l1_loss(pred, future), "mae": mae}
