from collections import defaultdict

import torch


class RolloutBuffer:
    def __init__(self):
        self.data = defaultdict(list)

    def add(self, **step):
        for k, v in step.items():
            self.data[k].append(v)

    def clear(self):
        self.data.clear()

    def advantages(self, last, gamma=0.97, lam=0.95):
        rew, val, done = (self.data[k] for k in ("rew", "value", "done"))
        out, gae, nxt = [], torch.zeros_like(last), last
        for t in reversed(range(len(rew))):
            live = 1 - done[t]
            gae = rew[t] + gamma * nxt * live - val[t] + gamma * lam * live * gae
            nxt = val[t]
            out.append(gae)
        return torch.stack(out[::-1])

    def flat(self, key):
        return torch.stack(self.data[key]).flatten(0, 1)
