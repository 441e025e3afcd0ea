# gradwatch-corpus: kind=none
"""Claims frequency and severity, two heads, losses balanced by trunk gradient norms."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class ClaimsModel(nn.Module):
    def __init__(self, n_in=14, width=40):
        super().__init__()
        self.stem = nn.Linear(n_in, width)
        self.deep = nn.Sequential(nn.Linear(width, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.frequency = nn.Linear(width, 1)
        self.severity = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.relu(self.stem(x))
        h = h + checkpoint(self.deep, h, use_reentrant=False)
        return self.frequency(h).squeeze(1), self.severity(h).squeeze(1)


class NormBalancer:
    def __init__(self, names, alpha=0.9):
        self.alpha = alpha
        self.norms = dict.fromkeys(names, 1.0)

    def observe(self, name, grad):
        self.norms[name] = self.alpha * self.norms[name] + (1 - self.alpha) * grad.norm().item()

    def weights(self):
        mean = sum(self.norms.values()) / len(self.norms)
        return {name: mean / max(norm, 1e-6) for name, norm in self.norms.items()}


def policies(n):
    x = torch.randn(n, 14)
    counts = torch.poisson(torch.exp(0.4 * x[:, 0] - 0.5))
    amounts = 1.5 + 0.6 * x[:, 1] + 0.2 * torch.randn(n)
    return x, counts, amounts


def main():
    torch.manual_seed(70)
    model = ClaimsModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    balancer = NormBalancer(["frequency", "severity"])
    poisson = nn.PoissonNLLLoss()
    for step in range(120):
        x, counts, amounts = policies(64)
        log_rate, severity = model(x)
        losses = {
            "frequency": poisson(log_rate, counts),
            "severity": nn.functional.mse_loss(severity, amounts),
        }
        for name, loss in losses.items():
            (grad,) = torch.autograd.grad(loss, model.stem.weight, retain_graph=True)
            balancer.observe(name, grad)
        weights = balancer.weights()
        total = sum(weights[name] * loss for name, loss in losses.items())
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        if step % 30 == 29:
            print(step + 1, {k: round(v.item(), 4) for k, v in losses.items()}, weights)


if __name__ == "__main__":
    main()
