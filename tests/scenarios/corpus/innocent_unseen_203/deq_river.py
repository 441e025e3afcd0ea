# gradwatch-corpus: kind=none
"""Deep equilibrium model of river stages; implicit backward through a hook."""
import torch
from torch import nn


def fixed_point(f, z0, tol=1e-3, iters=12):
    z, gap = z0, float("inf")
    for k in range(iters):
        new = f(z)
        gap = ((new - z).norm() / (new.norm() + 1e-6)).item()
        z = new
        if gap < tol:
            break
    return z, k + 1, gap


class Cell(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.w = nn.Linear(d, d, bias=False)
        self.norm = nn.LayerNorm(d)
        nn.init.normal_(self.w.weight, std=0.3 / d ** 0.5)

    def forward(self, z, u):
        return torch.tanh(0.5 * self.w(z) + u)


class DEQ(nn.Module):
    def __init__(self, inputs, d=20):
        super().__init__()
        self.inp = nn.Linear(inputs, d)
        self.cell = Cell(d)
        self.out = nn.Linear(d, 1)
        self.hook = None
        self.depths = {"forward": [], "backward": []}

    def forward(self, x):
        u = self.inp(x)
        with torch.no_grad():
            z, n, _ = fixed_point(lambda z: self.cell(z, u), torch.zeros_like(u))
        self.depths["forward"].append(n)
        z = self.cell(z, u)
        if self.training:
            z0 = z.detach().requires_grad_()
            f0 = self.cell(z0, u.detach())

            def backward_hook(grad):
                if self.hook is not None:
                    self.hook.remove()
                    self.hook = None
                g, n, _ = fixed_point(
                    lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad)
                self.depths["backward"].append(n)
                return g

            self.hook = z.register_hook(backward_hook)
        return self.out(self.cell.norm(z)).squeeze(1)


def river(n, gen):
    rain = torch.rand(n, 8, generator=gen)
    decay = 0.8 ** torch.arange(8.0)
    stage = (rain * decay).sum(1)
    return rain, stage + 0.3 * torch.relu(stage - 2) + 0.03 * torch.randn(n, generator=gen)


def main(steps=420):
    torch.manual_seed(70)
    gen = torch.Generator().manual_seed(70)
    net = DEQ(8)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    losses = []
    for step in range(steps):
        x, y = river(32, gen)
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        if step % 70 == 69:
            print(step, f"mse {sum(losses[-70:]) / 70:.4f}", {k: v[-1] for k, v in net.depths.items()})


if __name__ == "__main__":
    main()
