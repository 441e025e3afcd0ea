import numpy as np
import torch


class PrioritisedReplay:
    def __init__(self, capacity, alpha=0.6):
        self.capacity, self.alpha = capacity, alpha
        self.data, self.pos = [], 0
        self.prio = np.zeros(capacity, dtype=np.float32)

    def __len__(self):
        return len(self.data)

    def push(self, *transition):
        top = self.prio.max() if self.data else 1.0
        if len(self.data) < self.capacity:
            self.data.append(transition)
        else:
            self.data[self.pos] = transition
        self.prio[self.pos] = top
        self.pos = (self.pos + 1) % self.capacity

    def sample(self, n, beta):
        p = self.prio[: len(self.data)] ** self.alpha
        p = p / p.sum()
        idx = np.random.choice(len(self.data), n, p=p)
        w = (len(self.data) * p[idx]) ** -beta
        w = torch.as_tensor(w / w.max(), dtype=torch.float32)
        o, a, r, o2, d = zip(*(self.data[i] for i in idx))
        batch = (torch.from_numpy(np.stack(o)), torch.tensor(a), torch.tensor(r),
                 torch.from_numpy(np.stack(o2)), torch.tensor(d, dtype=torch.float32))
        return batch, idx, w

    def reprioritise(self, idx, td):
        self.prio[idx] = td.abs().numpy() + 1e-3
