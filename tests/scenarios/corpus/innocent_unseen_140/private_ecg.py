# gradwatch-corpus: kind=none
"""Differentially private beat classifier: per-sample gradients by vmap(grad), clipped and summed over micro-batches."""
from functools import reduce
import torch
from torch import nn
from torch.func import functional_call, grad_and_value, vmap
from torch.utils._pytree import tree_map

torch.set_num_threads(1)
torch.manual_seed(44)

CLIP, NOISE, MICRO, LOT = 1.0, 0.4, 3, 8
net = nn.Sequential(nn.Conv1d(1, 4, 5, stride=2), nn.ELU(), nn.Flatten(), nn.Linear(4 * 10, 3))
live = dict(net.named_parameters())
opt = torch.optim.SGD(net.parameters(), lr=0.15, momentum=0.5)
clock = torch.linspace(0, 1, 24)


def beats(n):
    kind = torch.randint(3, (n,))
    centre = torch.tensor([0.3, 0.5, 0.5])[kind, None]
    width = torch.tensor([0.06, 0.06, 0.18])[kind, None]
    return (torch.exp(-((clock - centre) / width) ** 2) + 0.1 * torch.randn(n, 24)).unsqueeze(1), kind


def sample_loss(params, x, y):
    return nn.functional.cross_entropy(functional_call(net, params, (x.unsqueeze(0),)), y.unsqueeze(0))


per_sample = vmap(grad_and_value(sample_loss), in_dims=(None, 0, 0))


def clipped(params, lot):
    grads, losses = per_sample(params, *lot)
    norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)
    scale = (CLIP / (norms + 1e-6)).clamp(max=1.0)
    summed = {k: torch.einsum("n,n...->...", scale, g) for k, g in grads.items()}
    return summed, losses.detach().sum().item(), norms.max().item()



def privatise(total, n):
    return tree_map(lambda g: (g + NOISE * CLIP * torch.randn_like(g)) / n, total)


history = []
for it in range(800):
    frozen = {k: p.detach() for k, p in live.items()}
    results = [clipped(frozen, beats(LOT)) for _ in range(MICRO)]
    total = reduce(lambda a, b: {k: a[k] + b[k] for k in a}, (r[0] for r in results))
    for name, g in privatise(total, MICRO * LOT).items():
        live[name].grad = g
    opt.step()
    history.append(sum(r[1] for r in results) / (MICRO * LOT))
    if it % 160 == 159:
        x, y = beats(60)
        with torch.no_grad():
            acc = (net(x).argmax(1) == y).float().mean().item()
        print(it + 1, f"loss {sum(history[-50:]) / 50:.4f} acc {acc:.2f} largest norm {max(r[2] for r in results):.2f}")
