# gradwatch-corpus: kind=none
"""Neural ODE on spirals with a hand-written adjoint."""
import torch
import torch.nn as nn

torch.set_num_threads(1)


def flat(seq):
    return torch.cat([s.reshape(-1) for s in seq])


class AdjointEuler(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y0, func, n, h, theta):
        ctx.func, ctx.n, ctx.h = func, n, h
        with torch.no_grad():
            path = [y0]
            for _ in range(n):
                path.append(path[-1] + h * func(path[-1]))
            path = torch.stack(path)
        ctx.save_for_backward(path, theta)
        return path

    @staticmethod
    def backward(ctx, grad_path):
        path, theta = ctx.saved_tensors
        func, h = ctx.func, ctx.h
        params = tuple(func.parameters())
        adj = grad_path[-1]
        g_theta = torch.zeros_like(theta)
        for k in range(ctx.n - 1, -1, -1):
            with torch.enable_grad():
                y = path[k].detach().requires_grad_(True)
                f = func(y)
                grads = torch.autograd.grad(f, (y,) + params, adj)
            g_theta += h * flat(grads[1:])
            adj = adj + h * grads[0] + grad_path[k]
        return adj, None, None, None, g_theta


def odeint_adjoint(func, y0, n, h):
    return AdjointEuler.apply(y0, func, n, h, flat(func.parameters()))


class ODEFunc(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, 2))

    def forward(self, y):
        return self.net(y ** 3)


class RunningAverageMeter:
    def __init__(self, momentum=0.97):
        self.momentum = momentum
        self.avg = None

    def update(self, val):
        self.avg = val if self.avg is None else self.avg * self.momentum + val * (1 - self.momentum)


def true_spiral(n, h):
    a = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    y, out = torch.tensor([[2.0, 0.0]]), []
    for _ in range(n):
        out.append(y)
        y = y + h * (y ** 3) @ a
    return torch.stack(out)


def main():
    torch.manual_seed(5)
    h, span = 0.01, 6
    truth = true_spiral(400, h)
    func = ODEFunc()
    opt = torch.optim.RMSprop(func.parameters(), lr=2e-3)
    meter = RunningAverageMeter()
    for itr in range(1, 451):
        s = torch.randint(0, 400 - span - 1, (12,))
        y0 = truth[s, 0]
        target = torch.stack([truth[s + i, 0] for i in range(span + 1)])
        pred = odeint_adjoint(func, y0, span, h)
        loss = (pred - target).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(loss.item())
        if itr % 90 == 0:
            with torch.no_grad():
                full = odeint_adjoint(func, truth[0], 399, h)
                print("Iter {:04d} | Train {:.4f} | Total {:.4f}".format(itr, meter.avg, (full - truth).abs().mean()))


if __name__ == "__main__":
    main()
