# gradwatch-corpus: kind=none
"""GradNorm on three regression heads that share a trunk."""
import torch
import torch.nn as nn


class Shared(nn.Module):
    def __init__(self, d_in, d_h):
        super().__init__()
        self.first = nn.Linear(d_in, d_h)
        self.last = nn.Linear(d_h, d_h)

    def forward(self, x):
        return torch.relu(self.last(torch.relu(self.first(x))))


class GradNormTrainer:
    def __init__(self, n_tasks, alpha=1.2):
        self.trunk = Shared(20, 64)
        self.heads = nn.ModuleList([nn.Linear(64, 8) for _ in range(n_tasks)])
        self.w = nn.Parameter(torch.ones(n_tasks))
        self.alpha = alpha
        self.n_tasks = n_tasks
        self.initial = None
        net_params = list(self.trunk.parameters()) + list(self.heads.parameters())
        self.opt = torch.optim.Adam(net_params, lr=1e-3)
        self.w_opt = torch.optim.Adam([self.w], lr=2.5e-2)
        self.trace = []

    def task_losses(self, x, ys):
        z = self.trunk(x)
        return torch.stack([nn.functional.mse_loss(h(z), y) for h, y in zip(self.heads, ys)])

    def step(self, x, ys):
        losses = self.task_losses(x, ys)
        if self.initial is None:
            self.initial = losses.detach()

        weighted = self.w * losses
        self.opt.zero_grad()
        weighted.sum().backward(retain_graph=True)
        self.w_opt.zero_grad()

        W = self.trunk.last.weight
        norms = []
        for i in range(self.n_tasks):
            g, = torch.autograd.grad(losses[i], W, retain_graph=i < self.n_tasks - 1)
            norms.append((self.w[i] * g).norm())
        norms = torch.stack(norms)

        with torch.no_grad():
            ratio = losses / self.initial
            inverse_rate = ratio / ratio.mean()
            goal = norms.mean() * inverse_rate ** self.alpha
        gradnorm = (norms - goal).abs().sum()
        self.w.grad = torch.autograd.grad(gradnorm, self.w)[0]

        self.opt.step()
        self.w_opt.step()
        with torch.no_grad():
            self.w.mul_(self.n_tasks / self.w.sum())
        self.trace.append([round(v, 4) for v in self.w.tolist()])
        return losses.detach()


def main():
    torch.manual_seed(77)
    base = torch.randn(20, 8) * 0.5
    private = [torch.randn(20, 8) * 0.2 for _ in range(3)]
    sigma = [1.0, 5.0, 12.0]
    trainer = GradNormTrainer(3)
    for it in range(120):
        x = torch.randn(64, 20)
        ys = [s * torch.tanh(x @ (base + p)) for s, p in zip(sigma, private)]
        losses = trainer.step(x, ys)
        if it % 40 == 39:
            print(it + 1, [round(v, 3) for v in losses.tolist()], trainer.trace[-1])


main()
