# gradwatch-corpus: kind=none
# tracking the top Hessian eigenvalue during training (edge of stability plots)
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(13)
X = torch.randn(60, 5)
Y = (X[:, :1] * X[:, 1:2] - X[:, 2:3]).tanh()
net = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 16), nn.Tanh(), nn.Linear(16, 1))
params = list(net.parameters())


def flat(ts):
    return torch.cat([t.reshape(-1) for t in ts])


class PowerIteration:
    def __init__(self, dim, rounds):
        v = torch.randn(dim)
        self.v, self.rounds = v / v.norm(), rounds

    def __call__(self, grad):
        lam = 0.0
        for _ in range(self.rounds):
            hv = flat(torch.autograd.grad(grad @ self.v, params, retain_graph=True))
            lam = (hv @ self.v).item()
            self.v = hv / (hv.norm() + 1e-12)
        return lam


eig = PowerIteration(sum(p.numel() for p in params), rounds=2)
lr, curve = 0.15, []
opt = torch.optim.SGD(params, lr=lr)
for step in range(600):
    loss = F.mse_loss(net(X), Y)
    g = torch.autograd.grad(loss, params, create_graph=True)
    lam = eig(flat(g))
    for p, gi in zip(params, g):
        p.grad = gi.detach()
    opt.step()
    curve.append((loss.item(), lam))
    if step % 120 == 119:
        print(f"step {step + 1} loss {curve[-1][0]:.4f} lambda_max {lam:.2f} (2/lr = {2 / lr:.1f})")
