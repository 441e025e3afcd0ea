# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(19)


class MultiTaskNet(nn.Module):
    def __init__(self, dim=10, hidden=24):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.price = nn.Linear(hidden, 1)
        self.sold = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.shared(x)
        return self.price(h).squeeze(-1), self.sold(h).squeeze(-1)


class GradNormBalancer:
    """Scales task losses so that their gradients on the shared layer have like norms."""

    def __init__(self, tasks, beta=0.9):
        self.weights = torch.ones(tasks)
        self.beta = beta

    def update(self, losses, anchor):
        norms = []
        for loss in losses:
            (g,) = torch.autograd.grad(loss, anchor, retain_graph=True)
            norms.append(g.norm())
        norms = torch.stack(norms)
        target = norms.mean() / (norms + 1e-8)
        self.weights = self.beta * self.weights + (1 - self.beta) * target
        self.weights = self.weights * len(losses) / self.weights.sum()

    def combine(self, losses):
        return sum(w * l for w, l in zip(self.weights, losses))


def listings(n=800):
    x = torch.randn(n, 10)
    price = 10 * x[:, 0] + 5 * x[:, 1] + torch.randn(n)
    sold = (x[:, 2] + x[:, 0] > 0).float()
    return x, price, sold


def main():
    x, price, sold = listings()
    net, balancer = MultiTaskNet(), GradNormBalancer(2)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    running = None
    for epoch in range(5):
        for idx in torch.randperm(len(x)).split(32):
            p, s = net(x[idx])
            losses = [F.mse_loss(p, price[idx]), F.binary_cross_entropy_with_logits(s, sold[idx])]
            balancer.update(losses, net.shared[2].weight)
            total = balancer.combine(losses)
            opt.zero_grad()
            total.backward()
            opt.step()
            now = torch.stack(losses).detach()
            running = now if running is None else 0.95 * running + 0.05 * now
        print(epoch, "losses", running.tolist(), "weights", balancer.weights.tolist())


if __name__ == "__main__":
    main()
