# gradwatch-corpus: kind=none
"""CLIP-like image/text matching with GradCache: big contrastive batch, small chunks in memory."""
import torch
torch.set_num_threads(1)
from torch import nn
from torch.nn.functional import normalize, cross_entropy


class Tower(nn.Module):
    def __init__(self, n_in, d=12):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, 24), nn.GELU(), nn.Linear(24, d))

    def forward(self, x):
        return normalize(self.f(x), dim=-1)


class GradCache:
    def __init__(self, towers, chunk, scale=10.0):
        self.towers, self.chunk, self.scale = towers, chunk, scale
        self.cache = [[] for _ in towers]

    def loss(self, a, b):
        logits = self.scale * a @ b.T
        t = torch.arange(len(a))
        return (cross_entropy(logits, t) + cross_entropy(logits.T, t)) / 2

    def embed_all(self, inputs):
        reps = []
        for k, (tower, x) in enumerate(zip(self.towers, inputs)):
            for part in x.split(self.chunk):
                self.cache[k].append(tower(part))
            reps.append(torch.cat(self.cache[k]).detach().requires_grad_())
        return reps

    def step(self, inputs):
        reps = self.embed_all(inputs)
        loss = self.loss(*reps)
        loss.backward()
        for chunks, rep in zip(self.cache, reps):
            for z, g in zip(chunks, rep.grad.split(self.chunk)):
                z.backward(g)
            chunks.clear()
        return loss.item()


def pairs(n, latent):
    z = torch.randn(n, 5)
    return z @ latent[0] + 0.1 * torch.randn(n, 14), torch.tanh(z @ latent[1]) + 0.1 * torch.randn(n, 9)


if __name__ == "__main__":
    torch.manual_seed(44)
    latent = torch.randn(5, 14), torch.randn(5, 9)
    towers = nn.ModuleList([Tower(14), Tower(9)])
    opt = torch.optim.AdamW(towers.parameters(), lr=2e-3)
    gc_ = GradCache(towers, chunk=8)
    smooth = 3.5
    for it in range(500):
        opt.zero_grad()
        smooth = 0.98 * smooth + 0.02 * gc_.step(pairs(32, latent))
        opt.step()
        if it % 100 == 99:
            print(it + 1, round(smooth, 3))
