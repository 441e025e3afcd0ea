# gradwatch-corpus: kind=none
# %% Van der Pol by collocation: LBFGS, trainable mu from a few samples
import torch

torch.manual_seed(6)
torch.set_default_dtype(torch.float64)

# %% reference
mu0, T = 1.0, 4.0


def vdp(z, mu):
    return torch.stack([z[1], mu * (1 - z[0] ** 2) * z[1] - z[0]])


z = torch.tensor([1.5, 0.0])
h = 0.01
ref = [z]
for _ in range(int(T / h)):
    a = vdp(z, mu0)
    b = vdp(z + h / 2 * a, mu0)
    c = vdp(z + h / 2 * b, mu0)
    d = vdp(z + h * c, mu0)
    z = z + h / 6 * (a + 2 * b + 2 * c + d)
    ref.append(z)
ref = torch.stack(ref)
td = torch.linspace(0, T, 9)[:, None]
xd = ref[(td.squeeze() / h).round().long(), 0] + 0.01 * torch.randn(9)

# %% network as a flat vector
sz = [1, 20, 20, 1]
shp = [(m, n) for m, n in zip(sz, sz[1:])]
nth = sum(m * n + n for m, n in shp)
th = torch.cat([torch.cat([torch.randn(m * n) / m**0.5, torch.zeros(n)]) for m, n in shp]).requires_grad_()
mu = torch.tensor(0.3, requires_grad=True)


def x_of(th, t):
    o, y = 0, 2 * t / T - 1
    for i, (m, n) in enumerate(shp):
        W, b = th[o:o + m * n].view(m, n), th[o + m * n:o + m * n + n]
        o += m * n + n
        y = y @ W + b
        if i < len(shp) - 1:
            y = torch.sin(y)
    return y


# %% loss
tc = torch.linspace(0, T, 60)[:, None].requires_grad_()


def terms():
    x = x_of(th, tc)
    xt, = torch.autograd.grad(x.sum(), tc, create_graph=True)
    xtt, = torch.autograd.grad(xt.sum(), tc, create_graph=True)
    r = xtt - mu * (1 - x**2) * xt + x
    e = x_of(th, td).squeeze(1) - xd
    return r.pow(2).mean(), e.pow(2).mean(), xt[0].pow(2).sum()


opt = torch.optim.LBFGS([th, mu], lr=0.7, max_iter=3, history_size=10)
trace, last = [], {}


def closure():
    opt.zero_grad()
    r, e, v = terms()
    J = 0.1 * r + e + 0.1 * v
    J.backward()
    last["r"], last["e"], last["J"] = r.detach(), e.detach(), J.detach()
    trace.append(last["J"])
    return J


# %% run
best = (float("inf"), None)
for it in range(64):
    opt.step(closure)
    if last["J"] < best[0]:
        best = (last["J"].item(), (th.detach().clone(), mu.item()))
    if it % 10 == 0:
        print(f"{it:3d}  J {last['J']:.3e}  res {last['r']:.3e}  data {last['e']:.3e}  mu {mu.item():.3f}  evals {len(trace)}")

# %% result
thb, mub = best[1]
tt = torch.arange(0, len(ref), 20)
with torch.no_grad():
    err = (x_of(thb, (tt * h)[:, None]).squeeze(1) - ref[tt, 0]).abs().max()
print(f"mu {mub:.3f} (true {mu0})  max|x - ref| {err:.3f}  J first/last {trace[0]:.2e}/{trace[-1]:.2e}")
