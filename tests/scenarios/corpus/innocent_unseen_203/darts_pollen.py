# gradwatch-corpus: kind=none
"""Second-order DARTS-style search over activations for pollen forecasts."""
import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F

OPS = [torch.relu, torch.tanh, torch.sin, lambda x: x]


class Mixed(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.lin = nn.Linear(d, d)

    def forward(self, x, alpha):
        h = self.lin(x)
        return sum(w * op(h) for w, op in zip(alpha, OPS))


class Supernet(nn.Module):
    def __init__(self, inputs=6, d=16, cells=2):
        super().__init__()
        self.inp = nn.Linear(inputs, d)
        self.cells = nn.ModuleList(Mixed(d) for _ in range(cells))
        self.out = nn.Linear(d, 1)

    def forward(self, x, alphas):
        h = self.inp(x)
        for cell, a in zip(self.cells, torch.softmax(alphas, 1)):
            h = cell(h, a)
        return self.out(h).squeeze(1)


class Architect:
    def __init__(self, net, alphas, inner_lr):
        self.net, self.alphas, self.inner_lr = net, alphas, inner_lr
        self.opt = torch.optim.Adam([alphas], lr=5e-3, betas=(0.5, 0.999))
        self.snapshots = []

    def step(self, train, valid):
        params = dict(self.net.named_parameters())
        loss = F.mse_loss(functional_call(self.net, params, (train[0], self.alphas)), train[1])
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=True)
        ahead = {n: p - self.inner_lr * g for (n, p), g in zip(params.items(), grads)}
        outer = F.mse_loss(functional_call(self.net, ahead, (valid[0], self.alphas)), valid[1])
        self.alphas.grad, = torch.autograd.grad(outer, [self.alphas])
        self.opt.step()
        self.snapshots.append(torch.softmax(self.alphas.detach(), 1).tolist())
        return outer.item()


def season(n, gen):
    x = torch.randn(n, 6, generator=gen)
    return x, torch.sin(1.5 * x[:, 0]) + 0.5 * torch.relu(x[:, 1]) + 0.05 * torch.randn(n, generator=gen)


def main(steps=420):
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(50)
    net = Supernet()
    alphas = (1e-3 * torch.randn(2, len(OPS))).requires_grad_()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    architect = Architect(net, alphas, 0.02)
    for step in range(steps):
        train, valid = season(40, gen), season(40, gen)
        outer = architect.step(train, valid)
        loss = F.mse_loss(net(train[0], alphas.detach()), train[1])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 3.0)
        opt.step()
        if step % 70 == 0:
            print(step, f"train {loss.item():.4f} valid {outer:.4f}", [row.index(max(row)) for row in architect.snapshots[-1]])
    drift = torch.tensor(architect.snapshots).diff(dim=0).abs().sum().item()
    print("architecture drift", round(drift, 3))


if __name__ == "__main__":
    main()
