# gradwatch-corpus: kind=none
"""Heat equation PINN refined with L-BFGS chunks; the closure keeps the last terms for the report."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)


class Heat:
    def __init__(self, alpha=0.1):
        self.net = nn.Sequential(nn.Linear(2, 10), nn.Tanh(), nn.Linear(10, 1))
        self.alpha = alpha
        self.xt = torch.rand(30, 2, requires_grad=True)
        self.x0 = torch.rand(20, 1)
        self.last = {}

    def terms(self):
        u = self.net(self.xt)
        du, = torch.autograd.grad(u.sum(), self.xt, create_graph=True)
        d2, = torch.autograd.grad(du[:, 0].sum(), self.xt, create_graph=True)
        pde = (du[:, 1] - self.alpha * d2[:, 0]).square().mean()
        ic = (self.net(torch.cat([self.x0, 0 * self.x0], 1)) - torch.sin(3.14159 * self.x0)).square().mean()
        return {"pde": pde, "ic": ic}


def refine(prob, chunks, per_chunk):
    opt = torch.optim.LBFGS(prob.net.parameters(), lr=0.5, max_iter=per_chunk, history_size=8, line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        prob.last = prob.terms()
        loss = prob.last["pde"] + 5 * prob.last["ic"]
        loss.backward()
        return loss

    for c in range(chunks):
        opt.step(closure)
        if c % 140 == 0:
            print(c, {k: f"{v.item():.2e}" for k, v in prob.last.items()})


refine(Heat(), chunks=420, per_chunk=3)
