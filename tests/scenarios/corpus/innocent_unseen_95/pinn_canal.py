# gradwatch-corpus: kind=none
"""PINN for advection-diffusion of a tracer in a canal, with adaptive loss weights."""
import torch
import torch.nn as nn

V, D = 0.5, 0.02


class Fourier(nn.Module):
    def __init__(self, n, scale=1.5):
        super().__init__()
        self.register_buffer("B", torch.randn(2, n) * scale)

    def forward(self, xt):
        p = xt @ self.B
        return torch.cat([p.sin(), p.cos()], 1)


class PINN(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(Fourier(10), nn.Linear(20, width), nn.Tanh(),
                                 nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], 1))


def d(u, x):
    return torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]


def residual(model, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = model(x, t)
    u_x, u_t = d(u, x), d(u, t)
    return u_t + V * u_x - D * d(u_x, x)


def initial(x):
    return torch.exp(-((x - 0.3) / 0.1) ** 2)


class Weights:
    """Balance loss terms by gradient norms (learning-rate annealing of Wang et al.)."""

    def __init__(self, names, rate=0.1):
        self.lam = {n: 1.0 for n in names}
        self.rate = rate

    def refresh(self, terms, params):
        def magnitudes(loss):
            gs = torch.autograd.grad(loss, params, retain_graph=True, allow_unused=True)
            return torch.cat([g.abs().flatten() for g in gs if g is not None])
        ref = magnitudes(terms["pde"]).max().item()
        for n in self.lam:
            target = min(ref / (magnitudes(terms[n]).mean().item() + 1e-8), 50.0)
            self.lam[n] = (1 - self.rate) * self.lam[n] + self.rate * target

    def total(self, terms):
        return terms["pde"] + sum(lam * terms[n] for n, lam in self.lam.items())


def loss_terms(model, n=48):
    x, t = torch.rand(n, 1), torch.rand(n, 1)
    x0, tb = torch.rand(n // 2, 1), torch.rand(n // 2, 1)
    zero, one = torch.zeros_like(tb), torch.ones_like(tb)
    return {
        "pde": residual(model, x, t).square().mean(),
        "ic": (model(x0, torch.zeros_like(x0)) - initial(x0)).square().mean(),
        "bc": (model(zero, tb).square() + (model(one, tb) - model(one - 1e-2, tb)).square()).mean(),
    }


def main():
    torch.set_num_threads(1)
    torch.manual_seed(10)
    model = PINN()
    params = list(model.parameters())
    opt = torch.optim.Adam(params, lr=3e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.997)
    weights = Weights(["ic", "bc"])
    log = []
    for it in range(450):
        terms = loss_terms(model)
        if it % 10 == 0:
            weights.refresh(terms, params)
        loss = weights.total(terms)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        log.append([v.item() for v in terms.values()])
        if (it + 1) % 90 == 0:
            pde, ic, bc = torch.tensor(log[-30:]).mean(0).tolist()
            print(f"{it + 1:4d} pde {pde:.2e} ic {ic:.2e} bc {bc:.2e} "
                  f"weights { {k: round(v, 2) for k, v in weights.lam.items()} }")
    with torch.no_grad():
        x = torch.linspace(0, 1, 101)[:, None]
        u = model(x, torch.full_like(x, 0.5))
    print("tracer peak at t=0.5: x = %.2f" % x[u.argmax()].item())


if __name__ == "__main__":
    main()
