# gradwatch-corpus: kind=none
"""Oil well decline fits with a diagonal-curvature optimiser."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(24)


class DiagCurvature(torch.optim.Optimizer):
    def __init__(self, params, lr=0.05, beta=0.95, eps=1e-3):
        super().__init__(params, dict(lr=lr, beta=beta, eps=eps))

    def step(self, closure=None):
        group = self.param_groups[0]
        ps = [p for p in group["params"] if p.grad is not None]
        z = [torch.randint_like(p, 2) * 2 - 1 for p in ps]
        hz = torch.autograd.grad([p.grad for p in ps], ps, grad_outputs=z)
        with torch.no_grad():
            for p, h, v in zip(ps, hz, z):
                st = self.state[p]
                cur = (h * v).abs()
                st["h"] = cur if "h" not in st else group["beta"] * st["h"] + (1 - group["beta"]) * cur
                p.sub_(group["lr"] * p.grad / (st["h"] + group["eps"]).clamp(min=0.05))
                p.grad = None


class Decline(nn.Module):
    def __init__(self, wells):
        super().__init__()
        self.q0 = nn.Parameter(torch.zeros(wells))
        self.rate = nn.Parameter(torch.full((wells,), -2.0))
        self.b = nn.Parameter(torch.full((wells,), -1.0))

    def forward(self, t):
        b = torch.sigmoid(self.b)
        d = self.rate.exp()
        return self.q0 - torch.log1p(b * d * t[:, None]) / b


months = torch.arange(1.0, 25.0)
truth = Decline(8)
with torch.no_grad():
    truth.q0 += torch.randn(8)
    truth.rate += 0.4 * torch.randn(8)
    clean = truth(months)
fit = Decline(8)
opt = DiagCurvature(fit.parameters())
for it in range(500):
    loss = nn.functional.mse_loss(fit(months), clean + 0.05 * torch.randn_like(clean))
    loss.backward(create_graph=True)
    opt.step()
    if it % 100 == 0:
        print(it, f"{loss.item():.5f}")
