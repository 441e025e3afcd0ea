# gradwatch-corpus: kind=none
"""GradNorm: task weights are tuned so that all tasks train at a similar rate."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)

N_TASKS = 3
ALPHA = 1.0


class Shared(nn.Module):
    def __init__(self, dim=10, hidden=32):
        super().__init__()
        self.first = nn.Linear(dim, hidden)
        self.last_shared = nn.Linear(hidden, hidden)
        self.heads = nn.ModuleList(nn.Linear(hidden, 1) for _ in range(N_TASKS))

    def forward(self, x):
        h = F.relu(self.last_shared(F.relu(self.first(x))))
        return [head(h).squeeze(1) for head in self.heads]


class GradNorm:
    def __init__(self, n):
        self.weights = torch.ones(n, requires_grad=True)
        self.opt = torch.optim.Adam([self.weights], lr=0.02)
        self.initial = None

    def adjust(self, losses, param):
        stacked = torch.stack([l.detach() for l in losses])
        if self.initial is None:
            self.initial = stacked
        norms = []
        for w, loss in zip(self.weights, losses):
            g, = torch.autograd.grad(w * loss, param, retain_graph=True, create_graph=True)
            norms.append(g.norm())
        norms = torch.stack(norms)
        rate = stacked / self.initial
        target = norms.mean().detach() * (rate / rate.mean()) ** ALPHA
        g_w, = torch.autograd.grad((norms - target).abs().sum(), self.weights, retain_graph=True)
        return g_w

    def apply(self, g_w):
        self.weights.grad = g_w
        self.opt.step()
        with torch.no_grad():
            self.weights.mul_(len(self.weights) / self.weights.sum())


def main():
    mats = [torch.randn(10) * s for s in (0.3, 1.0, 3.0)]
    net = Shared()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    balancer = GradNorm(N_TASKS)
    for step in range(100):
        x = torch.randn(48, 10)
        losses = [F.mse_loss(o, x @ m) for o, m in zip(net(x), mats)]
        g_w = balancer.adjust(losses, net.last_shared.weight)
        total = sum(w * l for w, l in zip(balancer.weights.detach(), losses))
        opt.zero_grad()
        total.backward()
        opt.step()
        balancer.apply(g_w)
        if step % 20 == 0:
            print(f"step {step} losses {[round(l.item(), 3) for l in losses]} "
                  f"weights {[round(w, 3) for w in balancer.weights.tolist()]}")


if __name__ == "__main__":
    main()
