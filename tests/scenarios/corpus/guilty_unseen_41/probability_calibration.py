# gradwatch-corpus: kind=second-backward
# holder: warped
# first-bad: 0
"""Post-hoc calibration of an overconfident classifier, fitted fold by fold with LBFGS."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N_CLASSES = 6


class Warp(nn.Module):
    """Monotone per-class squashing of the logits."""

    def __init__(self, k):
        super().__init__()
        self.log_a = nn.Parameter(torch.zeros(k))
        self.b = nn.Parameter(torch.zeros(k))

    def forward(self, logits):
        return torch.asinh(self.log_a.exp() * logits + self.b)


class Calibrator(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.warp = Warp(k)
        self.mix = nn.Linear(k, k)
        nn.init.eye_(self.mix.weight)
        nn.init.zeros_(self.mix.bias)

    def forward(self, logits):
        return self.mix(self.warp(logits))


def make_logits(n, gen):
    y = torch.randint(0, N_CLASSES, (n,), generator=gen)
    base = torch.randn(n, N_CLASSES, generator=gen)
    base[torch.arange(n), y] += 1.2
    return base * 4.0, y


def ece(probs, y, bins=10):
    conf, pred = probs.max(1)
    hit = (pred == y).float()
    total = 0.0
    for lo in torch.linspace(0, 1, bins + 1)[:-1]:
        m = (conf > lo) & (conf <= lo + 1.0 / bins)
        if m.any():
            total += (hit[m].mean() - conf[m].mean()).abs().item() * m.float().mean().item()
    return total


def fit_fold(cal, logits, y, opt, l2=1e-3):
    warped = cal.warp(logits)  # <- culprit

    def closure():
        opt.zero_grad()
        nll = F.cross_entropy(cal.mix(warped), y)  # <- culprit
        reg = (cal.mix.weight - torch.eye(N_CLASSES)).pow(2).sum()
        loss = nll + l2 * reg
        loss.backward()  # <- culprit
        return loss

    return opt.step(closure)


def run():
    gen = torch.Generator().manual_seed(5)
    folds = [make_logits(300, gen) for _ in range(8)]
    held_logits, held_y = make_logits(500, gen)
    cal = Calibrator(N_CLASSES)
    opt = torch.optim.LBFGS(cal.parameters(), lr=0.3, max_iter=6, history_size=5)

    with torch.no_grad():
        print("ece before:", round(ece(held_logits.softmax(1), held_y), 4))
    for sweep in range(10):
        losses = []
        for logits, y in folds:
            loss = fit_fold(cal, logits, y, opt)
            losses.append(loss.item())
        with torch.no_grad():
            score = ece(cal(held_logits).softmax(1), held_y)
        print(f"sweep {sweep}: nll {sum(losses) / len(losses):.4f}  ece {score:.4f}")


if __name__ == "__main__":
    run()
