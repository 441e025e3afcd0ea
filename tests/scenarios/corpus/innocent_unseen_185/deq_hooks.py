# gradwatch-corpus: kind=none
"""Deep equilibrium layer for graph signals, implicit backward through a gradient hook."""
import torch
import torch.nn.functional as F
from torch import nn


def solve(f, z, tol=1e-3, iters=15):
    for _ in range(iters):
        nxt = f(z)
        if (nxt - z).norm() < tol * nxt.norm().clamp(min=1e-6):
            return nxt
        z = nxt
    return z


class Cell(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lin = nn.Linear(width, width)
        nn.init.orthogonal_(self.lin.weight, gain=0.5)

    def forward(self, z, x, adj):
        return torch.tanh(adj @ self.lin(z) + x)


class DEQ(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell
        self.hook = None
        self.warm = None

    def forward(self, x, adj):
        z0 = torch.zeros_like(x) if self.warm is None else self.warm.detach()
        with torch.no_grad():
            z = solve(lambda s: self.cell(s, x, adj), z0)
        new = self.cell(z, x, adj)
        if self.training:
            z1 = z.clone().requires_grad_()
            f1 = self.cell(z1, x, adj)

            def backward_hook(grad):
                if self.hook is not None:
                    self.hook.remove()
                    self.hook = None
                return solve(lambda y: torch.autograd.grad(f1, z1, y, retain_graph=True)[0] + grad, torch.zeros_like(grad))

            self.hook = new.register_hook(backward_hook)
        self.warm = new
        return new


def ring_graph(n):
    a = torch.eye(n)
    a = a + a.roll(1, 0) + a.roll(-1, 0)
    return a / a.sum(1, keepdim=True)


def main(steps=420, nodes=20, width=16):
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(78)
    adj = ring_graph(nodes)
    enc, deq, dec = nn.Linear(3, width), DEQ(Cell(width)), nn.Linear(width, 1)
    params = [*enc.parameters(), *deq.parameters(), *dec.parameters()]
    opt = torch.optim.Adam(params, lr=3e-3)
    far = torch.linalg.matrix_power(adj, 6)
    for step in range(steps):
        sig = torch.randn(nodes, 3, generator=gen)
        target = far @ sig[:, :1]
        loss = F.mse_loss(dec(deq(enc(sig), adj)), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 70 == 0:
            print(f"step {step} loss {loss.item():.4f} |z| {deq.warm.norm().item():.3f}")


if __name__ == "__main__":
    main()
