# gradwatch-corpus: kind=none
# about: a deep equilibrium layer: the fixed point is found without a graph, then a hook solves
# about: for the gradient with autograd.grad INSIDE the backward, on a retained graph
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


class Cell(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(dim, dim)
        nn.init.orthogonal_(self.lin.weight, gain=0.5)

    def forward(self, z, x):
        return torch.tanh(self.lin(z) + x)


def fixed_point(f, z, tol=1e-4, most=40):
    for n in range(1, most + 1):
        new = f(z)
        if (new - z).norm() < tol * (1e-5 + new.norm()):
            return new, n
        z = new
    return z, most


class DEQ(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f
        self.forward_steps = self.backward_steps = 0

    def forward(self, x):
        with torch.no_grad():
            z, self.forward_steps = fixed_point(lambda z: self.f(z, x), torch.zeros_like(x))
        z = self.f(z, x)
        z0 = z.clone().detach().requires_grad_()
        f0 = self.f(z0, x)

        def backward_hook(grad):
            g, self.backward_steps = fixed_point(
                lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad
            )
            return g

        if z.requires_grad:
            z.register_hook(backward_hook)
        return z


def main():
    torch.manual_seed(0)
    stream = batches(*classes(), size=16)
    deq = DEQ(Cell(24))
    model = nn.Sequential(nn.Linear(16, 24), deq, nn.Linear(24, 4))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS // 2):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 25 == 0:
            print(f"{step}: {loss.item():.6f} in {deq.forward_steps}+{deq.backward_steps} steps")


if __name__ == "__main__":
    main()
