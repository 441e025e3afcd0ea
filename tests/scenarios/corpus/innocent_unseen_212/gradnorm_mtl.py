# gradwatch-corpus: kind=none
"""Multi-task regression balanced with GradNorm."""
import torch
from torch import nn


class Shared(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(64, 1) for _ in range(tasks))

    def forward(self, x):
        h = self.trunk(x)
        return torch.cat([head(h) for head in self.heads], 1)


class GradNorm:
    def __init__(self, tasks, alpha=0.12, lr=1e-2):
        self.w = torch.ones(tasks, requires_grad=True)
        self.alpha = alpha
        self.opt = torch.optim.Adam([self.w], lr=lr)
        self.initial = None

    def weight_loss(self, losses, shared):
        if self.initial is None:
            self.initial = losses.detach()
        norms = torch.stack([
            self.w[i] * torch.autograd.grad(l, shared, retain_graph=True)[0].norm() for i, l in enumerate(losses)
        ])
        ratio = losses.detach() / self.initial
        target = norms.detach().mean() * (ratio / ratio.mean()) ** self.alpha
        return (norms - target).abs().sum()

    def renormalise(self):
        with torch.no_grad():
            self.w.mul_(len(self.w) / self.w.sum()).clamp_(min=0.05)


def main(tasks=3):
    torch.manual_seed(40)
    net, bal = Shared(tasks), GradNorm(tasks)
    opt = torch.optim.Adam(net.parameters(), 2e-3)
    W = torch.randn(10, tasks) * torch.tensor([0.3, 1.0, 3.0])
    shared = net.trunk[2].weight
    trail = []
    for it in range(120):
        x = torch.randn(64, 10)
        losses = (net(x) - torch.sin(x @ W)).pow(2).mean(0)
        wloss = bal.weight_loss(losses, shared)
        opt.zero_grad()
        bal.opt.zero_grad()
        (bal.w.detach() * losses).sum().backward()
        wloss.backward()
        opt.step()
        bal.opt.step()
        bal.renormalise()
        trail.append(bal.w.detach().clone())
        if it % 30 == 0:
            print(it, losses.detach().numpy().round(3), trail[-1].numpy().round(3))


if __name__ == "__main__":
    main()
