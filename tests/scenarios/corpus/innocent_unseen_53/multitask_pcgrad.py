# gradwatch-corpus: kind=none
# Two tasks that disagree, gradients projected against each other (PCGrad), the heads by plain backward
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(6)
random.seed(6)


class SharedNet(nn.Module):
    def __init__(self, d_in=12, d_hid=40, n_cls=3):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(d_in, d_hid), nn.ReLU(), nn.Linear(d_hid, d_hid), nn.ReLU())
        self.cls_head = nn.Linear(d_hid, n_cls)
        self.reg_head = nn.Linear(d_hid, 1)
        self.rec_head = nn.Linear(d_hid, d_in)

    def forward(self, x):
        z = self.shared(x)
        return {"cls": self.cls_head(z), "reg": self.reg_head(z).squeeze(-1), "rec": self.rec_head(z)}


def compute_losses(out, x, y_cls, y_reg):
    return {
        "cls": F.cross_entropy(out["cls"], y_cls),
        "reg": F.mse_loss(out["reg"], y_reg),
        "rec": 0.3 * F.mse_loss(out["rec"], x),
    }


def flat(grads):
    return torch.cat([g.reshape(-1) for g in grads])


def project(task_grads):
    projected = []
    for i, g in enumerate(task_grads):
        g = g.clone()
        others = [o for j, o in enumerate(task_grads) if j != i]
        random.shuffle(others)
        for o in others:
            dot = torch.dot(g, o)
            if dot < 0:
                g -= dot / (o.norm() ** 2 + 1e-12) * o
        projected.append(g)
    return torch.stack(projected).mean(0)


def pcgrad_backward(losses, shared_params):
    per_task = []
    names = list(losses)
    for k, name in enumerate(names):
        last = k == len(names) - 1
        for p in shared_params:
            p.grad = None
        losses[name].backward(retain_graph=not last)
        per_task.append(flat([p.grad for p in shared_params]))
    merged = project(per_task)
    offset = 0
    for p in shared_params:
        n = p.numel()
        p.grad = merged[offset:offset + n].view_as(p).clone()
        offset += n
    return merged.norm()


X = torch.randn(960, 12)
W = torch.randn(12, 4)
Z = X @ W
y_cls, y_reg = Z[:, :3].argmax(1), torch.tanh(Z[:, 3])

net = SharedNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
shared = list(net.shared.parameters())
history = {"cls": [], "reg": [], "rec": []}

for epoch in range(4):
    total = {k: torch.zeros(()) for k in history}
    norm = 0.0
    order = torch.randperm(len(X)).split(48)
    for idx in order:
        opt.zero_grad()
        losses = compute_losses(net(X[idx]), X[idx], y_cls[idx], y_reg[idx])
        norm += pcgrad_backward(losses, shared)
        opt.step()
        with torch.no_grad():
            for k, v in losses.items():
                total[k] += v
    for k in history:
        history[k].append(total[k] / len(order))
    print(f"epoch {epoch}  " + "  ".join(f"{k} {v[-1]:.3f}" for k, v in history.items())
          + f"  |g| {norm / len(order):.3f}")
