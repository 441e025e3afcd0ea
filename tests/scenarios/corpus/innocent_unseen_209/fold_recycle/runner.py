import random
from collections import defaultdict

import torch
import torch.nn.functional as F


class Ledger:
    def __init__(self) -> None:
        self.rows = defaultdict(list)

    def note(self, **kv) -> None:
        for k, v in kv.items():
            self.rows[k].append(v)

    def line(self) -> str:
        return "  ".join(f"{k} {float(sum(v[-30:])) / len(v[-30:]):.3f}" for k, v in self.rows.items())


class Runner:
    def __init__(self, net, opt, ledger: Ledger, max_recycles: int) -> None:
        self.net, self.opt, self.ledger = net, opt, ledger
        self.max_recycles, self.rng = max_recycles, random.Random(4)
        self.prev = None

    def step(self, seq: torch.Tensor, contact: torch.Tensor) -> None:
        self.prev = None
        n = self.rng.randrange(self.max_recycles + 1)
        for i in range(n + 1):
            with torch.set_grad_enabled(i == n):
                self.prev, logit = self.net(seq, self.prev)
        loss = F.binary_cross_entropy_with_logits(logit, contact)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        hit = ((logit > 0) == (contact > 0)).float().mean()
        self.ledger.note(loss=loss.detach(), acc=hit, recycles=n)
