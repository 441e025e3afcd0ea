# gradwatch-corpus: kind=none
"""Feature distillation for tabular fraud detection, with a replayed pool of hard rows and a momentum teacher."""
import copy
import heapq
import itertools

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(23)
gen = torch.Generator().manual_seed(23)

D, BATCH, STEPS, POOL, ACCUM = 10, 48, 440, 64, 4

rule = torch.randn(D, 3, generator=gen)


def transactions(n):
    x = torch.randn(n, D, generator=gen)
    score = torch.tanh(x @ rule).prod(dim=1)
    return x, (score > 0.05).float()


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc1 = nn.Linear(D, width)
        self.fc2 = nn.Linear(width, width)
        self.cls = nn.Linear(width, 1)

    def forward(self, x):
        h1 = F.mish(self.fc1(x))
        h2 = F.mish(self.fc2(h1))
        return self.cls(h2).squeeze(-1), (h1, h2)


student = Net(24)
teacher = copy.deepcopy(student).requires_grad_(False)
opt = torch.optim.NAdam(student.parameters(), lr=2e-3)

captured = {}


def grab(name):
    def hook(module, args, output):
        captured[name] = output
    return hook


handles = [student.fc1.register_forward_hook(grab("fc1")), student.fc2.register_forward_hook(grab("fc2"))]

pool = []
tie = itertools.count()
loss_scale = torch.ones(())
window = []

opt.zero_grad()
for step in range(STEPS):
    x, y = transactions(BATCH)
    if len(pool) >= 8:
        hard = heapq.nlargest(8, pool)
        x = torch.cat([x, torch.stack([row for _, _, row, _ in hard])])
        y = torch.cat([y, torch.stack([lab for _, _, _, lab in hard])])

    logits, feats = student(x)
    with torch.no_grad():
        t_logits, t_feats = teacher(x)
    per_row = F.binary_cross_entropy_with_logits(logits, y, reduction="none")
    feature_gap = sum(F.mse_loss(a, b) for a, b in zip(feats, t_feats))
    soft = F.binary_cross_entropy_with_logits(logits, t_logits.sigmoid())
    sparsity = sum(v.clamp(min=0).mean() for v in captured.values())

    loss = per_row.mean() / loss_scale + 0.1 * feature_gap + 0.2 * soft + 1e-3 * sparsity
    (loss / ACCUM).backward()
    window.append(loss)

    loss_scale = 0.98 * loss_scale + 0.02 * per_row.detach().mean().clamp(min=0.1)
    for value, row, lab in zip(per_row[:BATCH].tolist(), x, y):
        item = (value, next(tie), row.clone(), lab.clone())
        if len(pool) < POOL:
            heapq.heappush(pool, item)
        else:
            heapq.heappushpop(pool, item)

    if (step + 1) % ACCUM == 0:
        opt.step()
        opt.zero_grad()
        with torch.no_grad():
            for t, s in zip(teacher.parameters(), student.parameters()):
                t.mul_(0.99).add_(s, alpha=0.01)
        mean_loss = torch.stack(window).mean().item()
        window = []
        if (step + 1) % 88 == 0:
            print(f"step {step + 1}: loss {mean_loss:.3f} hardest {max(pool)[0]:.3f} scale {loss_scale.item():.3f}")
        pool = [p for p in pool if p[1] > (step - 60) * BATCH]
        heapq.heapify(pool)

for handle in handles:
    handle.remove()
