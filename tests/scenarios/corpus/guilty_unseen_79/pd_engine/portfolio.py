from dataclasses import dataclass

import torch


@dataclass
class Portfolio:
    x: torch.Tensor
    y: torch.Tensor
    cut: int

    @classmethod
    def synthetic(cls, n):
        x = torch.randn(n, 9)
        x[:, 3] = x[:, 3].exp()
        logit = -1.8 + x[:, 0] - 0.7 * x[:, 1] * x[:, 2] + 0.3 * x[:, 3]
        return cls(x, torch.bernoulli(torch.sigmoid(logit)), int(0.8 * n))

    def stream(self, batch, steps):
        for _ in range(steps):
            pick = torch.randint(0, self.cut, (batch,))
            yield self.x[pick], self.y[pick]

    @torch.no_grad()
    def gini(self, model):
        s, y = model(self.x[self.cut:]).squeeze(-1), self.y[self.cut:]
        pos, neg = s[y == 1], s[y == 0]
        return 2 * (pos[:, None] > neg[None, :]).float().mean().item() - 1
