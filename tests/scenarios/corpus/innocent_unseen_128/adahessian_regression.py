# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from torch import nn


class AdaHess(torch.optim.Optimizer):
    """Diagonal Hessian by Hutchinson's trick, after Yao et al."""

    def __init__(self, params, lr=0.1, betas=(0.9, 0.99), eps=1e-4):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    def _hutchinson(self):
        ps = [p for g in self.param_groups for p in g["params"] if p.grad is not None]
        zs = [torch.randint(0, 2, p.shape).float() * 2 - 1 for p in ps]
        hz = torch.autograd.grad([p.grad for p in ps], ps, grad_outputs=zs)
        return {p: (h * z).abs() for p, h, z in zip(ps, hz, zs)}

    def step(self, closure=None):
        diag = self._hutchinson()
        with torch.no_grad():
            for group in self.param_groups:
                b1, b2 = group["betas"]
                for p in group["params"]:
                    if p not in diag:
                        continue
                    st = self.state[p]
                    if not st:
                        st["m"], st["v"], st["t"] = torch.zeros_like(p), torch.zeros_like(p), 0
                    st["t"] += 1
                    st["m"].lerp_(p.grad.detach(), 1 - b1)
                    st["v"].lerp_(diag[p] ** 2, 1 - b2)
                    m, v = st["m"] / (1 - b1 ** st["t"]), st["v"] / (1 - b2 ** st["t"])
                    p.addcdiv_(m, v.sqrt() + group["eps"], value=-group["lr"] * 0.1)
                    p.grad = None


torch.manual_seed(14)
net = nn.Sequential(nn.Linear(5, 24), nn.Softplus(), nn.Linear(24, 1))
opt = AdaHess(net.parameters(), lr=0.05)
w = torch.randn(5, 1)
for it in range(600):
    x = torch.randn(32, 5)
    y = torch.sin(x @ w)
    loss = nn.functional.mse_loss(net(x), y)
    loss.backward(create_graph=True)
    opt.step()
    if it % 100 == 0:
        print(it, loss.item())
