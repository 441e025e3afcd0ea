# gradwatch-corpus: kind=graph-held
# holder: _state['mean'] | _state['sq'] | _state | smooth.__defaults__ | smooth.__defaults__[1]['mean']
# first-bad: 1
# notice: 8
"""Card-fraud scorer on a drifting stream: focal loss, standardised by its own running moments."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
gen = torch.Generator().manual_seed(77)
torch.manual_seed(77)

N_MERCHANT, N_NUM, STEPS = 40, 10, 300


def transactions(n, t):
    """Numeric features, merchant ids and labels; the fraud pattern rotates with t."""
    x = torch.randn(n, N_NUM, generator=gen)
    m = torch.randint(0, N_MERCHANT, (n,), generator=gen)
    angle = torch.tensor(0.004 * t)
    risk = 1.6 * (x[:, 0] * torch.cos(angle) + x[:, 1] * torch.sin(angle))
    risk = risk + 0.8 * (m % 7 == 0).float() + 0.5 * x[:, 2] * x[:, 3] - 3.2
    y = (torch.rand(n, generator=gen) < torch.sigmoid(risk)).float()
    return x, m, y


class Scorer(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.merchant = nn.Embedding(N_MERCHANT, 6)
        self.body = nn.Sequential(
            nn.Linear(N_NUM + 6, dim), nn.SiLU(), nn.Dropout(0.05), nn.Linear(dim, dim), nn.SiLU()
        )
        self.out = nn.Linear(dim, 1)
        nn.init.constant_(self.out.bias, -2.5)

    def forward(self, x, m):
        return self.out(self.body(torch.cat([x, self.merchant(m)], -1))).squeeze(-1)


def focal(logit, y, gamma=1.5, alpha=0.75):
    ce = F.binary_cross_entropy_with_logits(logit, y, reduction="none")
    p_t = torch.exp(-ce)
    w = alpha * y + (1 - alpha) * (1 - y)
    return w * (1 - p_t) ** gamma * ce


def smooth(value, beta=0.95, _state={"mean": None, "sq": None}):
    """Running first and second moment of a scalar; returns (mean, std) as plain numbers."""
    if _state["mean"] is None:
        _state["mean"], _state["sq"] = value, value * value  # <- culprit
    else:
        _state["mean"] = torch.lerp(value, _state["mean"], beta)  # <- culprit
        _state["sq"] = torch.lerp(value * value, _state["sq"], beta)  # <- culprit
    var = (_state["sq"] - _state["mean"] ** 2).clamp_min(1e-8)
    return _state["mean"].item(), var.sqrt().item()


def recall_at(logit, y, frac=0.1):
    k = max(1, int(frac * len(y)))
    return (y[logit.topk(k).indices].sum() / y.sum().clamp_min(1)).item()


def main():
    net = Scorer()
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
    for t in range(STEPS):
        x, m, y = transactions(192, t)
        logit = net(x, m)
        per_item = focal(logit, y)
        loss = per_item.mean()
        mu, sd = smooth(loss)  # <- culprit
        scale = 1.0 / (mu + 0.1 * sd + 1e-6)
        opt.zero_grad()
        (loss * min(scale, 20.0)).backward()
        nn.utils.clip_grad_value_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        if t % 60 == 59:
            net.eval()
            with torch.no_grad():
                xv, mv, yv = transactions(2000, t)
                r = recall_at(net(xv, mv), yv)
            net.train()
            print(f"t={t + 1} focal={mu:.4f}±{sd:.4f} recall@10%={r:.3f}")


if __name__ == "__main__":
    main()
