# gradwatch-corpus: kind=none
"""Churn and lifetime value with one trunk; conflicting task gradients are projected (PCGrad)."""
import torch
import torch.nn as nn

torch.manual_seed(55)


class Tabular(nn.Module):
    def __init__(self, cards, n_num, width=48):
        super().__init__()
        self.embeds = nn.ModuleList(nn.Embedding(c, 4) for c in cards)
        self.trunk = nn.Sequential(
            nn.Linear(4 * len(cards) + n_num, width),
            nn.GELU(),
            nn.LayerNorm(width),
            nn.Linear(width, width),
            nn.GELU(),
        )
        self.heads = nn.ModuleDict({"churn": nn.Linear(width, 1), "ltv": nn.Linear(width, 1)})

    def forward(self, cat, num):
        parts = [e(cat[:, j]) for j, e in enumerate(self.embeds)]
        z = self.trunk(torch.cat([*parts, num], dim=1))
        return {name: head(z).squeeze(1) for name, head in self.heads.items()}


def customers(n):
    cat = torch.stack([torch.randint(0, c, (n,)) for c in CARDS], dim=1)
    num = torch.randn(n, 6)
    risk = num[:, 0] - 0.8 * num[:, 1] + 0.3 * (cat[:, 0] - 3).float()
    churn = torch.bernoulli(torch.sigmoid(risk))
    ltv = torch.relu(2 + num[:, 1] + 0.5 * num[:, 2] - 0.7 * risk) + 0.1 * torch.randn(n)
    return cat, num, churn, ltv


def flat_grad(loss, params, keep):
    grads = torch.autograd.grad(loss, params, retain_graph=keep, allow_unused=True)
    return [torch.zeros_like(p) if g is None else g for g, p in zip(grads, params)]


def project(a, b):
    dot = sum((x * y).sum() for x, y in zip(a, b))
    if dot >= 0:
        return a, False
    scale = dot / sum((y * y).sum() for y in b).clamp(min=1e-12)
    return [x - scale * y for x, y in zip(a, b)], True


CARDS = (7, 12, 4)
net = Tabular(CARDS, 6)
params = list(net.parameters())
opt = torch.optim.Adam(params, lr=2e-3)
bce = nn.BCEWithLogitsLoss()
conflicts = 0
log = {"churn": [], "ltv": []}

for step in range(140):
    cat, num, churn, ltv = customers(96)
    out = net(cat, num)
    losses = {"churn": bce(out["churn"], churn), "ltv": nn.functional.mse_loss(out["ltv"], ltv)}
    g_churn = flat_grad(losses["churn"], params, keep=True)
    g_ltv = flat_grad(losses["ltv"], params, keep=False)
    p_churn, hit = project(g_churn, g_ltv)
    p_ltv, _ = project(g_ltv, g_churn)
    conflicts += int(hit)
    opt.zero_grad()
    for p, a, b in zip(params, p_churn, p_ltv):
        p.grad = a + b
    opt.step()
    for name, value in losses.items():
        log[name].append(value.detach())
    if step % 28 == 27:
        churn_avg = torch.stack(log["churn"][-28:]).mean().item()
        ltv_avg = torch.stack(log["ltv"][-28:]).mean().item()
        print(f"step {step + 1:3d} churn {churn_avg:.4f} ltv {ltv_avg:.4f} conflicts {conflicts}")
