# gradwatch-corpus: kind=none
"""Two heads on one trunk; gradient norms of the trunk are compared before the step."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Multi(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 32), nn.ReLU())
        self.heads = nn.ModuleDict({"price": nn.Linear(32, 1), "sold": nn.Linear(32, 1)})

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h).squeeze(1) for k, head in self.heads.items()}


def trunk_grads(model):
    return torch.cat([p.grad.flatten().clone() for p in model.trunk.parameters()])


class Balancer:
    """Scales the second task so that both pull equally hard on the trunk."""

    def __init__(self, momentum=0.9):
        self.weight, self.momentum = 1.0, momentum

    def update(self, a, b):
        ratio = (a.norm() / b.norm().clamp_min(1e-8)).item()
        self.weight = self.momentum * self.weight + (1 - self.momentum) * min(ratio, 10.0)


def table(n):
    x = torch.randn(n, 8)
    price = x[:, 0] * 2 + x[:, 1] ** 2
    return x, {"price": price, "sold": (price - x[:, 2] < 1).float()}


def main():
    torch.manual_seed(0)
    model, bal = Multi(), Balancer()
    opt = torch.optim.SGD(model.parameters(), lr=2e-2, momentum=0.9)
    for i in range(120):
        x, y = table(64)
        out = model(x)
        price = F.smooth_l1_loss(out["price"], y["price"])
        sold = F.binary_cross_entropy_with_logits(out["sold"], y["sold"]) * bal.weight
        opt.zero_grad()
        price.backward(retain_graph=True)
        first = trunk_grads(model)
        sold.backward()
        bal.update(first, trunk_grads(model) - first)
        opt.step()
        if i % 30 == 0:
            print(f"{i} price {price.item():.3f} sold {sold.item():.3f} w {bal.weight:.2f}")


if __name__ == "__main__":
    main()
