# gradwatch-corpus: kind=none
"""BYOL on satellite tiles: predictor against a slowly moving target encoder."""
import copy

import torch

torch.set_num_threads(1)
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn


class Encoder(nn.Module):
    def __init__(self, c=6, out=10):
        super().__init__()
        self.conv = nn.Conv2d(4, c, 3, stride=2)
        self.proj = nn.Sequential(nn.Linear(c * 4, 16), nn.ReLU(), nn.Linear(16, out))

    def forward(self, x):
        h = nn.functional.adaptive_avg_pool2d(torch.relu(self.conv(x)), 2)
        return self.proj(h.flatten(1))


def two_views(n=10):
    tile = torch.randn(n, 4, 4, 4).repeat_interleave(2, 2).repeat_interleave(2, 3)
    view = lambda: tile.flip(-1) * (1 + 0.2 * torch.randn(n, 4, 1, 1)) + 0.1 * torch.randn_like(tile)
    return view(), view()


class BYOL:
    def __init__(self, tau=0.98):
        self.online = Encoder()
        self.predict = nn.Linear(10, 10)
        self.target = AveragedModel(copy.deepcopy(self.online), multi_avg_fn=get_ema_multi_avg_fn(tau))
        self.opt = torch.optim.SGD([*self.online.parameters(), *self.predict.parameters()], lr=0.05, momentum=0.9)

    def half(self, a, b):
        with torch.no_grad():
            goal = self.target(b)
        return -nn.functional.cosine_similarity(self.predict(self.online(a)), goal, dim=-1).mean()

    def step(self):
        a, b = two_views()
        loss = self.half(a, b) + self.half(b, a)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.target.update_parameters(self.online)
        return loss


if __name__ == "__main__":
    torch.manual_seed(38)
    byol, total = BYOL(), 0.0
    for i in range(1, 601):
        total += byol.step().item()
        if i % 150 == 0:
            print(i, round(total / i, 4))
