from collections import defaultdict

import torch


class Rollout:
    def __init__(self, gamma=0.95, lam=0.9):
        self.rows, self.gamma, self.lam = defaultdict(list), gamma, lam

    def add(self, **kw):
        for k, v in kw.items():
            self.rows[k].append(v)

    def finish(self, last_v):
        d = {k: torch.stack(v) for k, v in self.rows.items()}
        adv, g, nxt = torch.zeros_like(d["r"]), 0.0, last_v
        for t in reversed(range(len(adv))):
            delta = d["r"][t] + self.gamma * nxt - d["v"][t]
            g = delta + self.gamma * self.lam * g
            adv[t], nxt = g, d["v"][t]
        d["ret"] = adv + d["v"]
        d["adv"] = (adv - adv.mean()) / (adv.std() + 1e-6)
        return {k: v.flatten(0, 1) for k, v in d.items()}
