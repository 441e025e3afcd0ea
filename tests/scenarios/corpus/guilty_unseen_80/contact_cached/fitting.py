from contextlib import nullcontext

import torch
import torch.nn.functional as F
from torch.nn.utils import parametrize


class ContactFit:
    def __init__(self, net, lr, warm_epochs=1):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.warm_epochs = warm_epochs
        self.done = 0

    def _scope(self):
        """The weight is read several times per batch; past the warm-up it is worked out once."""
        if self.done < self.warm_epochs:
            return nullcontext()
        return parametrize.cached()  # <- culprit

    def objective(self, profile, contact):
        logits = self.net(profile)
        bce = F.binary_cross_entropy_with_logits(logits, contact)
        return bce + 1e-3 * self.net.energy_penalty()

    def epoch(self, batches):
        total, seen = 0.0, 0
        with self._scope():  # <- culprit
            for profile, contact in batches:
                self.opt.zero_grad()
                loss = self.objective(profile, contact)
                loss.backward()
                self.opt.step()
                total += loss.item()
                seen += 1
        self.done += 1
        return total / seen

    @torch.no_grad()
    def precision(self, batches, top):
        hits = count = 0
        with parametrize.cached():
            for profile, contact in batches:
                pick = self.net(profile).flatten(1).topk(top).indices
                hits += contact.flatten(1).gather(1, pick).sum().item()
                count += pick.numel()
        return hits / count
