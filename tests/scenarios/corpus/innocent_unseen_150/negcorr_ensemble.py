# gradwatch-corpus: kind=none
"""Members are trained one after another, each against the residual correlation with the earlier ones."""
import torch
from torch import nn

torch.manual_seed(35)
torch.set_num_threads(1)


def member():
    return nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 1))


class Ensemble:
    def __init__(self):
        self.members = []
        self.curves = []

    def others(self, x):
        return [m(x).squeeze(-1) for m in self.members]

    def train_next(self, sampler, steps=40, weight=0.2):
        new = member()
        opt = torch.optim.Adam(new.parameters(), lr=1e-2)
        curve = []
        for _ in range(steps):
            x, y = sampler(48)
            pred = new(x).squeeze(-1)
            loss = nn.functional.mse_loss(pred, y)
            earlier = self.others(x)
            if earlier:
                common = torch.stack([((pred - y) * (o.detach() - y)).mean() for o in earlier])
                loss = loss + weight * common.mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            curve.append(loss.item())
        self.members.append(new.requires_grad_(False).eval())
        self.curves.append(curve)

    def __call__(self, x):
        return torch.stack(self.others(x)).mean(0)


def sampler(n):
    x = torch.randn(n, 6)
    return x, torch.sin(2 * x[:, 0]) + x[:, 1] * x[:, 2] + 0.1 * torch.randn(n)


ensemble = Ensemble()
for k in range(5):
    ensemble.train_next(sampler)
    x, y = sampler(300)
    print(k, f"{ensemble.curves[-1][-1]:.4f}", f"all {nn.functional.mse_loss(ensemble(x), y).item():.4f}")
