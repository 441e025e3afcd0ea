from collections import defaultdict, deque

import torch


class History:
    def __init__(self, keep):
        self.series = defaultdict(list)
        self.recent = deque(maxlen=keep)

    def record(self, step, **values):
        for k, v in values.items():
            self.series[k].append((step, v.detach().item() if torch.is_tensor(v) else v))

    def keep_embedding(self, z):
        self.recent.append(z)

    def summary(self):
        return " ".join(f"{k}={v[-1][1]:.4f}" for k, v in self.series.items())

    @torch.no_grad()
    def effective_rank(self):
        z = torch.cat(list(self.recent))
        s = torch.linalg.svdvals(z - z.mean(0))
        p = s / s.sum()
        return torch.exp(-(p * (p + 1e-9).log()).sum()).item()
