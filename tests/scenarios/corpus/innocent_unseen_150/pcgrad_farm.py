# gradwatch-corpus: kind=none
"""Three soil tasks over a common trunk; conflicting gradients are projected (PCGrad)."""
import torch
from torch import nn

torch.manual_seed(18)
torch.set_num_threads(1)


class Soil(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.ELU(), nn.Linear(32, 16), nn.ELU())
        self.heads = nn.ModuleDict({k: nn.Linear(16, 1) for k in ("ph", "nitrogen", "moisture")})

    def forward(self, x):
        z = self.trunk(x)
        return {k: h(z).squeeze(-1) for k, h in self.heads.items()}


def project(grads):
    out = [g.clone() for g in grads]
    for i, g in enumerate(out):
        for j in torch.randperm(len(grads)).tolist():
            if j != i:
                dot = g @ grads[j]
                if dot < 0:
                    g -= dot / grads[j].square().sum() * grads[j]
    return torch.stack(out).sum(0)


def flat(params):
    return torch.cat([p.grad.flatten() for p in params])


def scatter(vec, params):
    at = 0
    for p in params:
        p.grad = vec[at:at + p.numel()].view_as(p).clone()
        at += p.numel()


def samples(n):
    x = torch.randn(n, 10)
    return x, {"ph": x[:, 0] - x[:, 1], "nitrogen": torch.sin(x[:, 1]) - x[:, 0], "moisture": x[:, 2] * x[:, 0]}


model = Soil()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
shared = list(model.trunk.parameters())
for step in range(110):
    x, targets = samples(48)
    preds = model(x)
    losses = {k: nn.functional.mse_loss(preds[k], targets[k]) for k in preds}
    opt.zero_grad()
    per_task = []
    for i, loss in enumerate(losses.values()):
        for p in shared:
            p.grad = None
        loss.backward(retain_graph=i < len(losses) - 1)
        per_task.append(flat(shared))
    scatter(project(per_task), shared)
    opt.step()
    if step % 27 == 26:
        print(step, {k: round(v.item(), 3) for k, v in losses.items()})
