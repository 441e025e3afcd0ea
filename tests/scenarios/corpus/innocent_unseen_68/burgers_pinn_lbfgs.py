# gradwatch-corpus: kind=none
# Viscous Burgers' equation, physics-informed net: L-BFGS rounds with re-drawn collocation points.
import math
import torch

torch.set_num_threads(1)
NU = 0.05


def mlp(widths):
    mods = []
    for a, b in zip(widths[:-1], widths[1:]):
        mods += [torch.nn.Linear(a, b), torch.nn.Tanh()]
    return torch.nn.Sequential(*mods[:-1])


def D(u, x):
    return torch.autograd.grad(u, x, torch.ones_like(u), create_graph=True)[0]


class Burgers:
    def __init__(self, net, n_col=96, keep=32, seed=0):
        self.net = net
        self.gen = torch.Generator().manual_seed(seed)
        self.n_col, self.keep = n_col, keep
        x = torch.linspace(-1, 1, 41)[:, None]
        self.ic = torch.cat([torch.zeros_like(x), x], 1), -torch.sin(math.pi * x)
        t = torch.linspace(0, 1, 21)[:, None]
        self.bc = torch.cat([torch.cat([t, -torch.ones_like(t)], 1), torch.cat([t, torch.ones_like(t)], 1)])
        self.pts = self.draw(n_col)
        self.terms = {}
        self.last_residual = None

    def draw(self, n):
        tx = torch.rand(n, 2, generator=self.gen)
        tx[:, 1] = 2 * tx[:, 1] - 1
        return tx.requires_grad_()

    def residual(self):
        u = self.net(self.pts)
        du = D(u, self.pts)
        u_t, u_x = du[:, :1], du[:, 1:]
        u_xx = D(u_x, self.pts)[:, 1:]
        return u_t + u * u_x - NU * u_xx

    def losses(self):
        self.last_residual = self.residual()
        x0, u0 = self.ic
        self.terms = {
            "pde": self.last_residual.pow(2).mean(),
            "ic": (self.net(x0) - u0).pow(2).mean(),
            "bc": self.net(self.bc).pow(2).mean(),
        }
        return self.terms

    def redraw(self):
        """Half greedy, half fresh."""
        worst = self.last_residual.abs().squeeze(1).topk(self.keep).indices
        kept = self.pts[worst].detach()
        fresh = self.draw(self.n_col - self.keep).detach()
        self.pts = torch.cat([kept, fresh]).requires_grad_()


def train(rounds=150):
    torch.manual_seed(3)
    problem = Burgers(mlp([2, 20, 20, 1]))
    weights = {"pde": 1.0, "ic": 10.0, "bc": 10.0}
    opt = torch.optim.LBFGS(problem.net.parameters(), lr=0.5, max_iter=4, history_size=10,
                            line_search_fn="strong_wolfe")
    curve = []

    def closure():
        opt.zero_grad()
        total = sum(weights[k] * v for k, v in problem.losses().items())
        total.backward()
        return total

    for r in range(rounds):
        loss = opt.step(closure)
        curve.append(loss)
        if len(curve) > 10:
            curve.pop(0)
        if r % 10 == 9:
            problem.redraw()
            opt.state.clear()
        if r % 50 == 49:
            avg = torch.stack(curve).mean()
            print(f"round {r + 1}: total {avg:.4e} " + " ".join(f"{k}={v:.2e}" for k, v in problem.terms.items()))
    return problem


if __name__ == "__main__":
    train()
