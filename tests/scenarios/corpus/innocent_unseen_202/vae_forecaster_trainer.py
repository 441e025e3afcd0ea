# gradwatch-corpus: kind=none
import copy
import logging
import math
from collections import defaultdict
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

log = logging.getLogger("seqvae")


@dataclass
class Cfg:
    length: int = 20
    ahead: int = 5
    latent: int = 4
    batch: int = 32
    epochs: int = 12
    patience: int = 6
    capacity: float = 2.0
    lr: float = 2e-3


class SeqVAE(nn.Module):
    def __init__(self, cfg, hidden=32):
        super().__init__()
        self.enc = nn.GRU(1, hidden, batch_first=True)
        self.mu, self.logvar = nn.Linear(hidden, cfg.latent), nn.Linear(hidden, cfg.latent)
        self.dec = nn.Sequential(nn.Linear(cfg.latent, hidden), nn.ReLU(), nn.Linear(hidden, cfg.length + cfg.ahead))
        self.last = {}

    def forward(self, x):
        _, h = self.enc(x.unsqueeze(-1))
        mu, logvar = self.mu(h[0]), self.logvar(h[0])
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        self.last = {"mu": mu, "logvar": logvar, "z": z}
        return self.dec(z)

    def kl(self):
        mu, lv = self.last["mu"], self.last["logvar"]
        return -0.5 * (1 + lv - mu.pow(2) - lv.exp()).sum(1).mean()


class History:
    def __init__(self):
        self.epoch = defaultdict(list)
        self.all = defaultdict(list)

    def add(self, **kw):
        for k, v in kw.items():
            self.epoch[k].append(v)

    def close_epoch(self):
        out = {k: torch.stack(v).mean().item() for k, v in self.epoch.items()}
        for k, v in out.items():
            self.all[k].append(v)
        self.epoch.clear()
        return out


class Trainer:
    def __init__(self, model, cfg):
        self.model, self.cfg = model, cfg
        self.opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.history = History()
        self.kl_avg = torch.tensor(0.0)
        self.best, self.best_model, self.bad = math.inf, None, 0

    def batch_step(self, seq):
        rec = self.model(seq[:, :self.cfg.length])
        mse, kl = F.mse_loss(rec, seq), self.model.kl()
        self.kl_avg = 0.99 * self.kl_avg.detach() + 0.01 * kl
        loss = mse + 0.01 * (kl - self.cfg.capacity).abs() + 0.001 * self.kl_avg
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.history.add(mse=mse, kl=kl, loss=loss)

    @torch.no_grad()
    def validate(self, seq):
        out = self.model(seq[:, :self.cfg.length])
        return F.mse_loss(out[:, self.cfg.length:], seq[:, self.cfg.length:]).item()

    def fit(self, train, val):
        for epoch in range(self.cfg.epochs):
            for idx in torch.randperm(len(train)).split(self.cfg.batch):
                self.batch_step(train[idx])
            stats = self.history.close_epoch()
            score = self.validate(val)
            log.info("epoch %d %s val %.4f", epoch, {k: round(v, 4) for k, v in stats.items()}, score)
            if score < self.best:
                self.best, self.bad = score, 0
                self.best_model = copy.deepcopy(self.model.state_dict())
            else:
                self.bad += 1
            if self.bad > self.cfg.patience:
                break
        self.model.load_state_dict(self.best_model)


def waves(n, t):
    f, p, a = torch.rand(n, 1) + 0.5, 6.28 * torch.rand(n, 1), torch.rand(n, 1) + 0.5
    return a * torch.sin(0.6 * f * torch.arange(t) + p) + 0.05 * torch.randn(n, t)


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s: %(message)s")
    cfg = Cfg()
    torch.manual_seed(3)
    data = waves(1400, cfg.length + cfg.ahead)
    trainer = Trainer(SeqVAE(cfg), cfg)
    trainer.fit(data[:1200], data[1200:])
    print(f"best val {trainer.best:.4f}")


if __name__ == "__main__":
    main()
