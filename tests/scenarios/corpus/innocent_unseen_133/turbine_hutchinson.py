# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.optim import Optimizer

torch.set_num_threads(1)


class Hutchinson(Optimizer):
    """Steps scaled by a running estimate of the Hessian's diagonal."""

    def __init__(self, params, lr=0.05, betas=(0.9, 0.99), eps=1e-3, lazy=3):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))
        self.lazy, self.turn = lazy, 0

    def wants_curvature(self):
        return self.turn % self.lazy == 0

    def probe(self):
        params = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        signs = [torch.randint_like(p, 2) * 2 - 1 for p in params]
        hv = torch.autograd.grad([p.grad for p in params], params, grad_outputs=signs)
        for p, v, h in zip(params, signs, hv):
            st = self.state[p]
            est = (v * h).abs()
            st["diag"] = est if "diag" not in st else 0.9 * st["diag"] + 0.1 * est
            p.grad = p.grad.detach()

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in g["params"]:
                st = self.state[p]
                st["mean"] = g["betas"][0] * st.get("mean", torch.zeros_like(p)) + (1 - g["betas"][0]) * p.grad
                p.sub_(g["lr"] * (st["mean"] / (st["diag"].sqrt() + g["eps"])).clamp(-1, 1))
        self.turn += 1


def power_curve(n=20):
    wind = torch.rand(n, 3) * 2 - 1
    return wind, torch.sigmoid(4 * wind[:, :1]) * (1 - 0.3 * wind[:, 1:2].abs())


def main():
    import warnings
    warnings.filterwarnings("ignore", message="Using backward")
    torch.manual_seed(88)
    net = nn.Sequential(nn.Linear(3, 14), nn.Tanh(), nn.Linear(14, 1))
    opt = Hutchinson(net.parameters(), lr=0.01)
    for k in range(900):
        wind, power = power_curve()
        loss = (net(wind) - power).square().mean()
        opt.zero_grad()
        curved = opt.wants_curvature()
        loss.backward(create_graph=curved)
        if curved:
            opt.probe()
        opt.step()
    print(loss.item())


if __name__ == "__main__":
    main()
