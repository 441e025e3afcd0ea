# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad_and_value, vmap


def per_example(model):
    def loss_fn(params, x, y):
        logits = functional_call(model, params, (x.unsqueeze(0),))
        return F.cross_entropy(logits, y.unsqueeze(0))
    return vmap(grad_and_value(loss_fn), in_dims=(None, 0, 0))


class PrivateSum:
    def __init__(self, params, clip):
        self.clip = clip
        self.total = {n: torch.zeros_like(p) for n, p in params.items()}
        self.count = 0
        self.norms = []

    def add(self, grads):
        sq = sum(g.flatten(1).pow(2).sum(1) for g in grads.values())
        norm = sq.sqrt()
        factor = (self.clip / norm).clamp(max=1.0)
        for n, g in grads.items():
            self.total[n] = self.total[n] + torch.einsum("b,b...->...", factor, g)
        self.count += len(norm)
        self.norms.append(norm.median())

    def release(self, params, sigma):
        for n, p in params.items():
            noisy = self.total[n] + sigma * self.clip * torch.randn_like(p)
            p.grad = (noisy / self.count).detach()
            self.total[n] = torch.zeros_like(p)
        self.count = 0
        median = torch.stack(self.norms).median().item()
        self.norms.clear()
        return median


def main(steps=1600, logical=4):
    torch.manual_seed(160)
    model = nn.Sequential(nn.Linear(15, 24), nn.Tanh(), nn.Linear(24, 2))
    params = dict(model.named_parameters())
    opt = torch.optim.SGD(model.parameters(), lr=0.3, momentum=0.5)
    engine = per_example(model)
    agg = PrivateSum(params, clip=1.0)
    w = torch.randn(15)
    history = []
    for step in range(1, steps + 1):
        x = torch.randn(24, 15)
        y = (x @ w > 0).long()
        frozen = {n: p.detach() for n, p in params.items()}
        grads, losses = engine(frozen, x, y)
        agg.add(grads)
        history.append(losses.mean())
        if step % logical == 0:
            median = agg.release(params, sigma=0.3)
            opt.step()
        if len(history) == 80:
            print(step, f"loss {torch.stack(history).mean():.4f} median norm {median:.3f}")
            history = []


if __name__ == "__main__":
    main()
