from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass
class Report:
    client: int
    weight: int
    state: dict
    drift: Tensor
    loss: float


def make_shards(n, size=80, dim=10, classes=4):
    gen = torch.Generator().manual_seed(9)
    centers = 2 * torch.randn(classes, dim, generator=gen)
    for _ in range(n):
        prior = torch.rand(classes, generator=gen) ** 2
        y = torch.multinomial(prior, size, replacement=True, generator=gen)
        yield centers[y] + torch.randn(size, dim, generator=gen), y


class Client:
    def __init__(self, cid, shard, mu, lr=0.05, local_steps=2, batch=20):
        self.cid, self.mu, self.lr = cid, mu, lr
        self.x, self.y = shard
        self.local_steps, self.batch = local_steps, batch

    def proximal(self, model, anchor):
        return sum((p - anchor[name]).pow(2).sum() for name, p in model.named_parameters())

    def local_update(self, model):
        anchor = {k: v.detach().clone() for k, v in model.named_parameters()}
        opt = torch.optim.SGD(model.parameters(), lr=self.lr)
        for _ in range(self.local_steps):
            idx = torch.randint(len(self.x), (self.batch,))
            prox = self.proximal(model, anchor)
            loss = F.cross_entropy(model(self.x[idx]), self.y[idx]) + 0.5 * self.mu * prox
            opt.zero_grad()
            loss.backward()
            opt.step()
        drift = self.proximal(model, anchor).sqrt()
        return Report(self.cid, len(self.x), model.state_dict(), drift, loss.item())
