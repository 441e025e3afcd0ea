import torch

from .meters import AverageMeter
from .model import elbo_terms


class Engine:
    def __init__(self, model, warmup, lr=2e-3):
        self.model = model
        self.warmup = warmup
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.meters = {k: AverageMeter() for k in ("loss", "kl", "beta")}
        self.step = 0

    @property
    def beta(self):
        return min(1.0, self.step / self.warmup)

    def train_epoch(self, data, batch):
        self.model.train()
        for x in data.split(batch):
            recon, kl = elbo_terms(self.model, x)
            loss = recon + self.beta * kl
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.meters["loss"].update(loss, len(x))  # <- culprit
            self.meters["kl"].update(kl.item(), len(x))
            self.meters["beta"].update(self.beta)
            self.step += 1

    def report(self):
        return "  ".join(f"{k} {float(m.avg):.4f}" for k, m in self.meters.items())
