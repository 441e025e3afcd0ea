# gradwatch-corpus: kind=none
"""Damped oscillator PINN; L-BFGS on collocation points drawn anew, loss terms logged by the closure."""
import torch

torch.set_num_threads(1)


class Osc(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.f = torch.nn.Sequential(torch.nn.Linear(1, 12), torch.nn.Tanh(), torch.nn.Linear(12, 1))
        self.log_damp = torch.nn.Parameter(torch.tensor(-1.0))

    def residual(self, t):
        t = t.requires_grad_()
        x = self.f(t)
        v = torch.autograd.grad(x.sum(), t, create_graph=True)[0]
        a = torch.autograd.grad(v.sum(), t, create_graph=True)[0]
        return a + self.log_damp.exp() * v + 4.0 * x


def truth(t):
    return torch.exp(-0.2 * t) * torch.cos(1.99 * t)


def make_closure(net, opt, t_obs, x_obs, t_col, latest):
    def closure():
        opt.zero_grad()
        latest["data"] = (net.f(t_obs) - x_obs).square().mean()
        latest["phys"] = net.residual(t_col).square().mean()
        total = latest["data"] + 0.05 * latest["phys"]
        total.backward()
        return total
    return closure


def solve(rounds=420):
    torch.manual_seed(4)
    net = Osc()
    t_obs = torch.rand(20, 1) * 3
    x_obs = truth(t_obs) + 0.02 * torch.randn(20, 1)
    opt = torch.optim.LBFGS(net.parameters(), lr=0.3, max_iter=3, history_size=5)
    latest = {}
    for r in range(rounds):
        closure = make_closure(net, opt, t_obs, x_obs, torch.rand(16, 1) * 3, latest)
        opt.step(closure)
        if r % 60 == 0:
            print(r, {k: round(v.item(), 5) for k, v in latest.items()}, net.log_damp.exp().item())


if __name__ == "__main__":
    solve()
