# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

torch.set_num_threads(1)


def rk4(f, t, dt, y):
    k1 = f(t, y)
    k2 = f(t + dt / 2, [a + dt / 2 * b for a, b in zip(y, k1)])
    k3 = f(t + dt / 2, [a + dt / 2 * b for a, b in zip(y, k2)])
    k4 = f(t + dt, [a + dt * b for a, b in zip(y, k3)])
    return [a + dt * (p + 2 * q + 2 * r + s) / 6 for a, p, q, r, s in zip(y, k1, k2, k3, k4)]


class OdeintAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, func, y0, t, *params):
        with torch.no_grad():
            ys = [y0]
            for t0, t1 in zip(t[:-1], t[1:]):
                ys.append(rk4(lambda s, y: [func(s, y[0])], t0, t1 - t0, [ys[-1]])[0])
        ys = torch.stack(ys)
        ctx.func, ctx.params = func, params
        ctx.save_for_backward(t, ys)
        return ys

    @staticmethod
    def backward(ctx, grad_out):
        t, ys = ctx.saved_tensors
        func, params = ctx.func, ctx.params

        def augmented(s, state):
            y, a = state[0], state[1]
            with torch.enable_grad():
                y = y.detach().requires_grad_(True)
                out = func(s, y)
                vjp = torch.autograd.grad(out, (y,) + params, -a, allow_unused=True)
            grads = [torch.zeros_like(p) if g is None else g for g, p in zip(vjp[1:], params)]
            return [out.detach(), vjp[0]] + grads

        with torch.no_grad():
            a = grad_out[-1]
            gp = [torch.zeros_like(p) for p in params]
            for i in range(len(t) - 1, 0, -1):
                state = rk4(augmented, t[i], t[i - 1] - t[i], [ys[i], a] + gp)
                a, gp = state[1] + grad_out[i - 1], state[2:]
        return (None, a, None, *gp)


class SpiralFunc(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y ** 3)


def odeint_adjoint(func, y0, t):
    return OdeintAdjoint.apply(func, y0, t, *func.parameters())


def main(iters=100):
    torch.manual_seed(5)
    A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    t = torch.linspace(0, 5, 60)
    with torch.no_grad():
        traj = [torch.tensor([[2.0, 0.0]])]
        for t0, t1 in zip(t[:-1], t[1:]):
            traj.append(rk4(lambda s, y: [(y[0] ** 3) @ A], t0, t1 - t0, [traj[-1]])[0])
        traj = torch.stack(traj)
    func = SpiralFunc()
    opt = torch.optim.Adam(func.parameters(), lr=5e-3)
    meter, nfes = None, []
    for it in range(iters):
        s = torch.randint(0, 54, (10,))
        target = torch.stack([traj[s + k, 0] for k in range(5)])
        opt.zero_grad()
        loss = (odeint_adjoint(func, target[0], t[:5]) - target).abs().mean()
        forward_nfe, func.nfe = func.nfe, 0
        loss.backward()
        nfes.append((forward_nfe, func.nfe))
        func.nfe = 0
        opt.step()
        meter = loss.item() if meter is None else 0.95 * meter + 0.05 * loss.item()
        if it % 25 == 0:
            print(f"iter {it} loss {meter:.4f} nfe-f {nfes[-1][0]} nfe-b {nfes[-1][1]}")


if __name__ == "__main__":
    main()
