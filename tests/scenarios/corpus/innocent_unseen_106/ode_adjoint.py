# gradwatch-corpus: kind=none
"""Neural ODE on a damped spiral with my own adjoint (RK4), after the blog post
"Neural ODEs from scratch".  The adjoint method lives in an autograd.Function."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(31)


def rk4(f, z, t0, t1, n):
    h = (t1 - t0) / n
    t = t0
    for _ in range(n):
        k1 = f(t, z)
        k2 = f(t + h / 2, z + h / 2 * k1)
        k3 = f(t + h / 2, z + h / 2 * k2)
        k4 = f(t + h, z + h * k3)
        z = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t = t + h
    return z


class OdeFunc(nn.Module):
    def __init__(self, dim=2, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, hidden), nn.Tanh(), nn.Linear(hidden, dim))
        self.nfe = 0

    def forward(self, t, z):
        self.nfe += 1
        return self.net(z ** 3)

    def flat_parameters(self):
        return torch.cat([p.flatten() for p in self.parameters()])


class OdeAdjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z0, flat, ts, func, n):
        ctx.func, ctx.n = func, n
        with torch.no_grad():
            zs = [z0]
            for a, b in zip(ts[:-1].tolist(), ts[1:].tolist()):
                zs.append(rk4(func, zs[-1], a, b, n))
            zs = torch.stack(zs)
        ctx.save_for_backward(zs, ts, flat)
        return zs

    @staticmethod
    def backward(ctx, dzs):
        zs, ts, flat = ctx.saved_tensors
        func, params = ctx.func, list(ctx.func.parameters())
        a = torch.zeros_like(zs[0])
        g = torch.zeros_like(flat)

        def vjp(t, z, adj):
            with torch.enable_grad():
                z = z.detach().requires_grad_(True)
                out = func(t, z)
                gz, *gp = torch.autograd.grad(out, [z] + params, adj, retain_graph=True)
            return out.detach(), gz, torch.cat([q.flatten() for q in gp])

        for k in range(len(ts) - 1, 0, -1):
            a = a + dzs[k]
            z, h = zs[k], (ts[k] - ts[k - 1]).item() / ctx.n
            for _ in range(ctx.n):
                f1, gz1, gp1 = vjp(0.0, z, a)
                f2, gz2, gp2 = vjp(0.0, z - h / 2 * f1, a + h / 2 * gz1)
                z, a, g = z - h * f2, a + h * gz2, g + h * gp2
        return a + dzs[0], g, None, None, None


def odeint(func, z0, ts, n=1):
    return OdeAdjoint.apply(z0, func.flat_parameters(), ts, func, n)


# ground truth
A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
T = torch.linspace(0, 6, 121)
true = [torch.tensor([[2.0, 0.0]])]
for a, b in zip(T[:-1].tolist(), T[1:].tolist()):
    true.append(rk4(lambda t, z: z ** 3 @ A, true[-1], a, b, 2))
true = torch.cat(true)

func = OdeFunc()
opt = torch.optim.Adam(func.parameters(), lr=1e-2)
best, best_pred, curve = float("inf"), None, []
prev_end = None
for it in range(310):
    s = torch.randint(len(T) - 5, (16,))
    z0 = true[s]
    target = torch.stack([true[s + k] for k in range(5)])
    pred = odeint(func, z0, T[:5])
    loss = (pred - target).abs().mean()
    if prev_end is not None:
        # slow-change prior: compare with where the last batch came to rest
        loss = loss + 1e-3 * (pred[-1].mean(0) - prev_end).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    prev_end = pred[-1].data.mean(0)
    curve.append(loss.detach().clone())
    if curve[-1] < best:
        best, best_pred = curve[-1], pred
    if it % 60 == 59:
        print(f"iter {it + 1} loss {torch.stack(curve[-60:]).mean():.4f} best {best:.4f} nfe {func.nfe}")
        func.nfe = 0
print("best rollout end", best_pred[-1, 0].tolist())
