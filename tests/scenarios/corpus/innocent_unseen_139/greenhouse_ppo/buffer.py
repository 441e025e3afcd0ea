from collections import defaultdict

import torch


class OnPolicyBuffer:
    def __init__(self, gamma, lam):
        self.gamma, self.lam = gamma, lam
        self.columns = defaultdict(list)

    def store(self, **row):
        for name, value in row.items():
            self.columns[name].append(value.detach())

    def export(self, last_value):
        cols = {name: torch.stack(c) for name, c in self.columns.items()}
        nxt = torch.cat([cols["value"][1:], last_value.view(1)])
        delta = cols["rew"] + self.gamma * nxt - cols["value"]
        adv, run = torch.zeros_like(delta), 0.0
        for i in reversed(range(len(delta))):
            run = delta[i] + self.gamma * self.lam * run
            adv[i] = run
        cols["ret"] = adv + cols["value"]
        cols["adv"] = (adv - adv.mean()) / (adv.std() + 1e-6)
        return cols

    def reset(self):
        self.columns.clear()
