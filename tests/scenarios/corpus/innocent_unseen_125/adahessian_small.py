# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)


class AdaHess(torch.optim.Optimizer):
    def __init__(self, params, lr=0.02, betas=(0.9, 0.99), eps=1e-3):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))
        self.n = 0

    def _trace(self, ps):
        gs = [p.grad for p in ps]
        zs = [torch.randn_like(p).sign() for p in ps]
        hz = torch.autograd.grad(gs, ps, grad_outputs=zs)
        return [(h * z).abs() for h, z in zip(hz, zs)]

    def step(self):
        self.n += 1
        for g in self.param_groups:
            ps = [p for p in g["params"] if p.grad is not None]
            diag = self._trace(ps)
            b1, b2 = g["betas"]
            with torch.no_grad():
                for p, d in zip(ps, diag):
                    st = self.state[p]
                    if not st:
                        st["m"], st["h"] = torch.zeros_like(p), torch.zeros_like(p)
                    st["m"].mul_(b1).add_(p.grad, alpha=1 - b1)
                    st["h"].mul_(b2).addcmul_(d, d, value=1 - b2)
                    den = (st["h"] / (1 - b2 ** self.n)).sqrt() + g["eps"] * 100
                    p.sub_(g["lr"] * st["m"] / (1 - b1 ** self.n) / den)


torch.manual_seed(29)
net = nn.Sequential(nn.Linear(5, 10), nn.Tanh(), nn.Linear(10, 1))
opt = AdaHess(net.parameters())
w = torch.randn(5, 1)
for it in range(500):
    x = torch.randn(20, 5)
    loss = (net(x) - torch.tanh(x @ w)).pow(2).mean()
    opt.zero_grad(set_to_none=True)
    loss.backward(create_graph=True)
    opt.step()
    if it % 125 == 0:
        print(it, f"{loss.item():.4f}")
opt.zero_grad()
