# gradwatch-corpus: kind=none
# Differentially private logistic-style net: per-sample gradients by vmap(grad), clipped, noised, averaged.
import torch
from torch import nn
from torch.func import functional_call, grad_and_value, vmap

torch.set_num_threads(1)
torch.manual_seed(70)

net = nn.Sequential(nn.Linear(8, 10), nn.Tanh(), nn.Linear(10, 2))


def one(params, x, y):
    return nn.functional.cross_entropy(functional_call(net, params, (x,)), y)


many = vmap(grad_and_value(one), in_dims=(None, 0, 0))


def privatise(tree, clip, sigma):
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in tree.values()]).norm(dim=0)
    factor = (clip / (norms + 1e-6)).clamp(max=1.0)
    out = {}
    for k, g in tree.items():
        total = torch.einsum("n,n...->...", factor, g)
        out[k] = (total + sigma * clip * torch.randn_like(total)) / len(factor)
    return out, norms.median().item()


def visits(n):
    x = torch.randn(n, 8)
    return x, (x[:, 0] + x[:, 1] * x[:, 2] > 0).long()


opt = torch.optim.SGD(net.parameters(), lr=0.3)
medians = []
for step in range(900):
    x, y = visits(16)
    tree, losses = many({k: p.detach() for k, p in net.named_parameters()}, x, y)
    private, median = privatise(tree, clip=1.0, sigma=0.4)
    medians.append(median)
    for k, p in net.named_parameters():
        p.grad = private[k]
    opt.step()
    opt.zero_grad()
    if step % 225 == 224:
        print(step + 1, round(losses.mean().item(), 3), "median norm", round(sum(medians[-50:]) / 50, 3))
