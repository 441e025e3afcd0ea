# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(111)

trunk = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 12), nn.ReLU())
heads = nn.ModuleDict({"steer": nn.Linear(12, 1), "brake": nn.Linear(12, 2), "lane": nn.Linear(12, 3)})
optim_trunk = torch.optim.Adam(trunk.parameters(), lr=1e-3)
optim_heads = {k: torch.optim.SGD(h.parameters(), lr=1e-2) for k, h in heads.items()}
W = torch.randn(10, 3)


def batch(n=24):
    sens = torch.randn(n, 10)
    s = sens @ W
    return sens, {"steer": s[:, :1].tanh(), "brake": (s[:, 1] > 0).long(), "lane": s.argmax(1)}


def task_loss(name, out, target):
    return F.mse_loss(out, target) if name == "steer" else F.cross_entropy(out, target)


grad_norms = {k: 0.0 for k in heads}
for it in range(400):
    sens, targets = batch()
    feat = trunk(sens)
    losses = {k: task_loss(k, heads[k](feat), targets[k]) for k in heads}
    optim_trunk.zero_grad()
    for o in optim_heads.values():
        o.zero_grad()
    names = list(losses)
    before = torch.zeros(20, 10)
    for k in names:
        losses[k].backward(retain_graph=k != names[-1])
        now = trunk[0].weight.grad.clone()
        grad_norms[k] = 0.9 * grad_norms[k] + 0.1 * (now - before).norm().item()
        before = now
    optim_trunk.step()
    for o in optim_heads.values():
        o.step()
    if it % 80 == 0:
        print(it, {k: round(v.item(), 3) for k, v in losses.items()}, {k: round(v, 3) for k, v in grad_norms.items()})
