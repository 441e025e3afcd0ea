# gradwatch-corpus: kind=none
"""Consumer credit: default, prepayment and spend predicted from one encoder. Conflicting task
gradients on the encoder are projected away from each other (PCGrad)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

TASKS = ("default", "prepay", "spend")


def applicants(n, n_feat=18, seed=0):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, n_feat, generator=g)
    w = torch.randn(n_feat, 3, generator=g) / n_feat ** 0.5
    s = x @ w + 0.5 * (x[:, :3] * x[:, 3:6])
    y = {
        "default": (s[:, 0] + 0.3 * torch.randn(n, generator=g) > 0.6).float(),
        "prepay": (s[:, 1] - 0.5 * s[:, 0] > 0).float(),
        "spend": s[:, 2] + 0.4 * s[:, 0],
    }
    return x, y


class CreditNet(nn.Module):
    def __init__(self, n_feat, width=40):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_feat, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(width, 1) for t in TASKS})

    def forward(self, x):
        z = self.encoder(x)
        return {t: head(z).squeeze(-1) for t, head in self.heads.items()}


def task_losses(out, y):
    return {
        "default": F.binary_cross_entropy_with_logits(out["default"], y["default"]),
        "prepay": F.binary_cross_entropy_with_logits(out["prepay"], y["prepay"]),
        "spend": F.smooth_l1_loss(out["spend"], y["spend"]),
    }


class PCGrad:
    def __init__(self, net, optimizer):
        self.shared = list(net.encoder.parameters())
        self.heads = {t: list(net.heads[t].parameters()) for t in TASKS}
        self.optimizer = optimizer
        self.conflicts = 0

    def step(self, losses):
        self.optimizer.zero_grad()
        flats = []
        last = TASKS[-1]
        for t in TASKS:
            own = self.heads[t]
            grads = torch.autograd.grad(losses[t], self.shared + own, retain_graph=t != last)
            flats.append(torch.cat([g.flatten() for g in grads[:len(self.shared)]]))
            for p, g in zip(own, grads[len(self.shared):]):
                p.grad = g
        total = torch.zeros_like(flats[0])
        for i, g in enumerate(flats):
            g = g.clone()
            for j in torch.randperm(len(flats)).tolist():
                dot = g @ flats[j]
                if j != i and dot < 0:
                    self.conflicts += 1
                    g -= dot / flats[j].pow(2).sum() * flats[j]
            total += g
        at = 0
        for p in self.shared:
            p.grad = total[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.optimizer.step()


def main(steps=700, batch=48):
    torch.manual_seed(3)
    x, y = applicants(3000, seed=3)
    net = CreditNet(x.size(1))
    surgeon = PCGrad(net, torch.optim.Adam(net.parameters(), lr=1e-3))
    averages = {t: None for t in TASKS}
    for step in range(1, steps + 1):
        pick = torch.randint(len(x), (batch,))
        losses = task_losses(net(x[pick]), {t: v[pick] for t, v in y.items()})
        surgeon.step(losses)
        for t, v in losses.items():
            v = v.detach()
            averages[t] = v if averages[t] is None else 0.98 * averages[t] + 0.02 * v
        if step % 100 == 0:
            per = "  ".join(f"{t} {averages[t].item():.4f}" for t in TASKS)
            print(f"{step}: {per}  conflicts {surgeon.conflicts}")
            surgeon.conflicts = 0


if __name__ == "__main__":
    main()
