# gradwatch-corpus: kind=none
"""Neuro-symbolic rule induction: straight-through gates, t-norm rules, smoothness by forward-mode tangents."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, jvp
from torch.utils.checkpoint import checkpoint


class HardGate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, probs):
        ctx.save_for_backward(probs)
        return (probs > 0.5).to(probs.dtype)

    @staticmethod
    def backward(ctx, grad):
        probs, = ctx.saved_tensors
        return grad * (4 * probs * (1 - probs))


class Predicates(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, 32), nn.Tanh(), nn.Linear(32, n))

    def forward(self, x):
        return torch.sigmoid(self.net(x))


class RuleLayer(nn.Module):
    """Disjunction of conjunctions, product t-norm."""

    def __init__(self, predicates, rules):
        super().__init__()
        self.select = nn.Parameter(0.5 * torch.randn(rules, predicates))
        self.weight = nn.Parameter(torch.zeros(rules))

    def forward(self, truth):
        gates = HardGate.apply(torch.sigmoid(self.select))
        literal = 1 - gates.unsqueeze(0) * (1 - truth.unsqueeze(1))
        conj = literal.clamp(1e-4, 1).log().sum(2).exp()
        fire = conj * torch.sigmoid(self.weight)
        return 1 - (1 - fire).clamp(min=1e-6).log().sum(1).exp()


class Theory(nn.Module):
    def __init__(self, d, predicates=8, rules=6):
        super().__init__()
        self.predicates = Predicates(d, predicates)
        self.rules = RuleLayer(predicates, rules)

    def forward(self, x):
        truth = self.predicates(x)
        return checkpoint(self.rules, truth, use_reentrant=False), truth


def smoothness(predicates, x):
    params = dict(predicates.named_parameters())
    direction = F.normalize(torch.randn_like(x), dim=1)
    _, tangent = jvp(lambda u: functional_call(predicates, params, (u,)), (x,), (direction,))
    return tangent.pow(2).mean()


def ground_truth(x):
    a = x[:, 0] > 0
    b = x[:, 1] + x[:, 2] > 0.3
    c = x[:, 3].abs() < 0.6
    return ((a & b) | (c & ~a)).float()


def rule_text(theory):
    with torch.no_grad():
        gates = torch.sigmoid(theory.rules.select) > 0.5
    return [" & ".join(f"p{j}" for j in row.nonzero().flatten().tolist()) or "true" for row in gates]


def main():
    torch.manual_seed(66)
    theory = Theory(d=6)
    opt = torch.optim.Adam(theory.parameters(), lr=1e-2)
    micro = 2
    averaged = {k: v.detach().clone() for k, v in theory.named_parameters()}
    for it in range(80):
        opt.zero_grad()
        metrics = {"bce": 0.0, "smooth": 0.0}
        for _ in range(micro):
            x = torch.randn(48, 6)
            y = ground_truth(x)
            answer, truth = theory(x)
            bce = F.binary_cross_entropy(answer.clamp(1e-5, 1 - 1e-5), y)
            smooth = smoothness(theory.predicates, x)
            balance = (truth.mean(0) - 0.5).pow(2).mean()
            loss = bce + 0.02 * smooth + 0.1 * balance
            (loss / micro).backward()
            metrics["bce"] += bce.item() / micro
            metrics["smooth"] += smooth.item() / micro
        opt.step()
        with torch.no_grad():
            for k, p in theory.named_parameters():
                averaged[k].lerp_(p, 0.05)
        if it % 20 == 19:
            x = torch.randn(500, 6)
            with torch.no_grad():
                answer, _ = functional_call(theory, averaged, (x,))
                acc = ((answer > 0.5).float() == ground_truth(x)).float().mean().item()
            print(it + 1, {k: round(v, 4) for k, v in metrics.items()}, "avg acc", round(acc, 3))
    print(rule_text(theory))


if __name__ == "__main__":
    main()
