import torch
from torch import nn
import torch.nn.functional as F


class RunoffTrainer:
    def __init__(self, cfg, bank):
        self.cfg = cfg
        self.bank = bank
        self.infiltration = nn.Linear(cfg.forcings, 1)
        self.opt = torch.optim.Adam(self.infiltration.parameters(), lr=cfg.lr)

    def _advance(self, basin, rain):
        gain = F.softplus(self.infiltration(rain)).squeeze(-1)
        outflow = self.bank.release(basin, self.cfg.recession)
        self.bank[basin] = self.bank[basin] - outflow + gain  # <- culprit
        return self.bank.release(basin, self.cfg.recession).mean()

    def fit_block(self, blocks):
        errors = [(self._advance(b, rain) - q) ** 2 for b, (rain, q) in blocks.items()]
        loss = torch.stack(errors).mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return loss.item()
