import torch
import torch.nn.functional as F
from torch import nn

from bank import PrototypeBank


class NowcastTask(nn.Module):
    def __init__(self, grid, history, n_proto, fill_steps, dim=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(history, 16, 3, padding=1), nn.ReLU(),
                                 nn.Conv2d(16, 16, 3, padding=1), nn.ReLU())
        self.dec = nn.Conv2d(16, 1, 3, padding=1)
        self.proj = nn.Linear(16, dim)
        self.bank = PrototypeBank(n_proto, dim)
        self.fill_steps, self.seen = fill_steps, 0

    def embed(self, feat):
        return F.normalize(self.proj(feat.mean((2, 3))), dim=-1)

    def regime_loss(self, z, z_aug):
        """Both views should agree on the regime."""
        scores, scores_aug = self.bank.logits(z), self.bank.logits(z_aug)
        self.bank.absorb(z.detach())  # <- culprit
        target = F.softmax(scores.detach() / 0.5, -1)
        return -(target * F.log_softmax(scores_aug, -1)).sum(-1).mean() * 0.1

    def losses(self, past, future):
        feat = self.enc(past)
        pred = past[:, -1:] + self.dec(feat)
        out = {"rain": F.l1_loss(pred, future) + F.mse_loss(pred, future)}
        z = self.embed(feat)
        if self.seen < self.fill_steps:
            self.bank.absorb(z.detach())
        else:
            flipped = self.enc(past + 0.05 * torch.randn_like(past))
            out["regime"] = self.regime_loss(z, self.embed(flipped))
        self.seen += 1
        return out
