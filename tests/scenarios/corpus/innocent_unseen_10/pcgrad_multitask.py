# gradwatch-corpus: kind=none
"""Gradient surgery (PCGrad, Yu et al. 2020) on three regression heads over one trunk, reproduced from the paper for a lab
meeting. Each task's gradient of the shared trunk is taken on its own."""
import random
from collections import Counter

import torch
from torch import nn

random.seed(77)
torch.manual_seed(77)

N_IN, N_SHARED, BATCH, STEPS = 16, 48, 64, 400
NAMES = ("sine", "quad", "anti")


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(N_IN, N_SHARED), nn.ReLU(), nn.Linear(N_SHARED, N_SHARED), nn.ReLU())
        self.heads = nn.ModuleDict({k: nn.Linear(N_SHARED, 1) for k in NAMES})

    def forward(self, x):
        z = self.trunk(x)
        return {k: h(z).squeeze(1) for k, h in self.heads.items()}


W = torch.randn(N_IN) / N_IN ** 0.5


def batch():
    x = torch.randn(BATCH, N_IN)
    u = x @ W
    return x, {"sine": torch.sin(2 * u), "quad": u ** 2 - 1, "anti": -torch.sin(2 * u) + 0.3 * u}


def task_gradients(losses, params):
    """One flat gradient per task. All tasks go through the same trunk, so its graph is needed until the last of them."""
    flats = []
    last = len(losses) - 1
    for k, loss in enumerate(losses):
        gs = torch.autograd.grad(loss, params, retain_graph=k < last, allow_unused=True)
        flats.append(torch.cat([(torch.zeros_like(p) if g is None else g).flatten() for g, p in zip(gs, params)]))
    return flats


def project(flats, conflicts):
    out = [f.clone() for f in flats]
    for i, g in enumerate(out):
        others = [j for j in range(len(flats)) if j != i]
        random.shuffle(others)
        for j in others:
            dot = torch.dot(g, flats[j])
            if dot < 0:
                g -= dot / flats[j].norm().square().clamp_min(1e-12) * flats[j]
                conflicts[NAMES[i], NAMES[j]] += 1
    return torch.stack(out).sum(0)


def assign(flat, params):
    at = 0
    for p in params:
        n = p.numel()
        p.grad = flat[at:at + n].view_as(p).clone()
        at += n


def main():
    model = Shared()
    params = list(model.parameters())
    opt = torch.optim.Adam(params, lr=2e-3)
    conflicts = Counter()
    window = torch.zeros(len(NAMES))
    cosines = []
    for step in range(1, STEPS + 1):
        x, target = batch()
        pred = model(x)
        losses = [(pred[k] - target[k]).square().mean() for k in NAMES]
        flats = task_gradients(losses, params)
        cosines.append(torch.cosine_similarity(flats[0], flats[2], dim=0).item())
        assign(project(flats, conflicts), params)
        opt.step()
        window += torch.stack(losses).detach()
        if step % 100 == 0:
            shown = ", ".join(f"{k} {v:.3f}" for k, v in zip(NAMES, (window / 100).tolist()))
            print(f"{step}: {shown}; mean cosine sine/anti {sum(cosines[-100:]) / 100:+.2f}; "
                  f"surgeries {sum(conflicts.values())}")
            window.zero_()
    print("most conflicting:", conflicts.most_common(2))


if __name__ == "__main__":
    main()
