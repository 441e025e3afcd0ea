# gradwatch-corpus: kind=none
"""Rate law of an enzyme reaction as a neural ODE, trained by the adjoint method (its own backward)."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(50)


class RateLaw(nn.Module):
    def __init__(self, species=3, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(species, width), nn.Tanh(), nn.Linear(width, species))

    def forward(self, y):
        return self.net(y)


def rk4(f, y, h):
    k1 = f(y)
    k2 = f(y + 0.5 * h * k1)
    k3 = f(y + 0.5 * h * k2)
    k4 = f(y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


class AdjointSolve(torch.autograd.Function):
    @staticmethod
    def forward(ctx, law, y0, h, steps, *params):
        ctx.law, ctx.h, ctx.steps = law, h, steps
        path = [y0]
        for _ in range(steps):
            path.append(rk4(law, path[-1], h))
        path = torch.stack(path)
        ctx.save_for_backward(path, *params)
        return path

    @staticmethod
    def backward(ctx, grad_path):
        path, *params = ctx.saved_tensors
        adjoint = grad_path[-1]
        grads = [torch.zeros_like(p) for p in params]
        for k in range(ctx.steps - 1, -1, -1):
            with torch.enable_grad():
                y = path[k].detach().requires_grad_()
                following = rk4(ctx.law, y, ctx.h)
            pulled = torch.autograd.grad(following, (y, *params), adjoint)
            adjoint = pulled[0] + grad_path[k]
            for total, part in zip(grads, pulled[1:]):
                total.add_(part)
        return (None, adjoint, None, None, *grads)


class Trajectories:
    def __init__(self, h=0.15, steps=6):
        self.h, self.steps = h, steps

    @staticmethod
    def truth(y):
        s, c, p = y.unbind(-1)
        bind, turn = 1.2 * s / (0.4 + s), 0.7 * c
        return torch.stack([-bind, bind - turn, turn], -1)

    def draw(self, batch):
        path = [torch.rand(batch, 3) + 0.1]
        for _ in range(self.steps):
            path.append(rk4(self.truth, path[-1], self.h))
        return torch.stack(path)


def main(steps=100):
    law, data = RateLaw(), Trajectories()
    params = tuple(law.parameters())
    optimizer = torch.optim.Adam(params, lr=1e-2)
    scale = nn.Parameter(torch.zeros(3))
    optimizer.add_param_group({"params": [scale], "lr": 1e-3})
    for step in range(steps):
        measured = data.draw(10)
        path = AdjointSolve.apply(law, measured[0], data.h, data.steps, *params)
        residual = (path - measured) * torch.exp(-scale)
        loss = residual.pow(2).mean() + scale.mean() * 0.01
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            print(f"step {step:3d} loss {loss.item():.5f}")


if __name__ == "__main__":
    main()
