from collections import deque

import torch


class SequenceReplay:
    def __init__(self, capacity):
        self.items = deque(maxlen=capacity)
        self.prio = deque(maxlen=capacity)

    def __len__(self):
        return len(self.items)

    def add(self, obs, act, rew, state):
        self.items.append((obs, act, rew, state))
        self.prio.append(torch.tensor(1.0))

    def sample(self, n):
        p = torch.stack(list(self.prio)) ** 0.9
        idx = torch.multinomial(p, n)
        rows = [self.items[i] for i in idx.tolist()]
        obs, act, rew, states = zip(*rows)
        h = torch.cat([s[0] for s in states], dim=1)
        c = torch.cat([s[1] for s in states], dim=1)
        return idx, torch.stack(obs), torch.stack(act), torch.stack(rew), (h, c)

    def set_priorities(self, idx, values):
        for i, v in zip(idx.tolist(), values):
            self.prio[i] = v.clone() + 1e-3
