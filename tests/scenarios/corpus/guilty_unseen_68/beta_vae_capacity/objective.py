"""Capacity-controlled ELBO: keep the KL near a target C that rises during training."""
import torch
import torch.nn.functional as F


class CapacityELBO:
    def __init__(self, gamma, c_max, anneal, decay=0.9):
        self.gamma, self.c_max, self.anneal, self.decay = gamma, c_max, anneal, decay
        self.t = 0
        self.kl_avg = None

    def capacity(self):
        return self.c_max * min(1.0, self.t / self.anneal)

    def _smooth(self, kl):
        if self.kl_avg is None:
            self.kl_avg = kl
        else:
            self.kl_avg = self.decay * self.kl_avg + (1.0 - self.decay) * kl  # <- culprit
        return self.kl_avg

    def __call__(self, x, logits, mu, logvar):
        self.t += 1
        rec = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(-1).mean()
        kl = 0.5 * (mu.pow(2) + logvar.exp() - 1.0 - logvar).sum(-1).mean()
        gap = torch.abs(self._smooth(kl) - self.capacity())
        loss = rec + self.gamma * gap
        return loss, {"elbo": -(rec + kl).item(), "kl": kl.item()}
