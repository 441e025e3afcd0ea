# gradwatch-corpus: kind=none
# Tyre-wear model with a Hutchinson-diagonal optimizer: backward(create_graph=True), then a product, then grads dropped.
import torch
from torch import nn
from torch.optim import Optimizer

torch.set_num_threads(1)
torch.manual_seed(220)


class DiagNewton(Optimizer):
    def __init__(self, params, lr=0.1, beta=0.95, eps=1e-3):
        super().__init__(params, dict(lr=lr, beta=beta, eps=eps))

    def curvature(self):
        params = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        signs = [torch.randint_like(p, 2) * 2 - 1 for p in params]
        products = torch.autograd.grad([p.grad for p in params], params, grad_outputs=signs)
        for p, z, hz in zip(params, signs, products):
            st = self.state[p]
            st.setdefault("h", torch.zeros_like(p)).mul_(0.98).add_((z * hz).abs(), alpha=0.02)

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                st = self.state[p]
                m = st.setdefault("m", torch.zeros_like(p))
                m.mul_(group["beta"]).add_(p.grad.detach(), alpha=1 - group["beta"])
                p.addcdiv_(m, st["h"] + group["eps"] + 0.1, value=-group["lr"])


def laps(n):
    x = torch.rand(n, 5)
    return x, (x[:, :1] * 2 + torch.sin(4 * x[:, 1:2]) * x[:, 2:3])


model = nn.Sequential(nn.Linear(5, 14), nn.Tanh(), nn.Linear(14, 1))
opt = DiagNewton(model.parameters(), lr=0.05)
for lap in range(700):
    x, wear = laps(20)
    loss = nn.functional.mse_loss(model(x), wear)
    loss.backward(create_graph=True)
    opt.curvature()
    opt.step()
    opt.zero_grad(set_to_none=True)
    if lap % 175 == 174:
        print(lap + 1, loss.item())
