# gradwatch-corpus: kind=second-backward
# holder: self.embed_avg | self.codebook | quantizer.codebook | vq.codebook | layer.codebook | layer.embed_avg | self.layers[0].codebook | self.layers[1].codebook | self.layers[0].embed_avg | self.layers[1].embed_avg | model.rvq.layers[0].codebook | model.rvq.layers[1].codebook | self.model.rvq.layers[0].embed_avg | self.model.rvq.layers[0].codebook | self.model.rvq.layers[1].embed_avg | self.model.rvq.layers[1].codebook
# first-bad: 1
# notice: 0
"""Small neural audio codec: conv encoder / residual VQ / conv decoder, multi-resolution spectral loss."""
from dataclasses import dataclass

import torch

from codec import Codec
from losses import MultiResSpectral
from signals import tone_batch


@dataclass
class Config:
    steps: int = 120
    batch: int = 8
    length: int = 1024
    lr: float = 2e-3
    w_time: float = 1.0
    w_spec: float = 0.5
    w_commit: float = 0.25
    log_every: int = 20


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Codec(channels=16, levels=2, codebook_size=32)
        self.spec = MultiResSpectral((64, 128, 256))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.ema_loss = None

    def compute(self, wav):
        rec, commit = self.model(wav)
        parts = {
            "time": (rec - wav).abs().mean(),
            "spec": self.spec(rec, wav),
            "commit": commit,
        }
        c = self.cfg
        return c.w_time * parts["time"] + c.w_spec * parts["spec"] + c.w_commit * parts["commit"], parts

    def step(self, i):
        wav = tone_batch(self.cfg.batch, self.cfg.length)
        loss, parts = self.compute(wav)
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        value = loss.item()
        self.ema_loss = value if self.ema_loss is None else 0.95 * self.ema_loss + 0.05 * value
        if i % self.cfg.log_every == 0:
            print(i, f"loss {self.ema_loss:.4f}", {k: round(v.item(), 4) for k, v in parts.items()},
                  f"usage {self.model.rvq.usage():.2f}")

    def fit(self):
        self.model.train()
        for i in range(self.cfg.steps):
            self.step(i)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(21)
    Trainer(Config()).fit()
