# gradwatch-corpus: kind=none
# Sliced score matching of star colours with forward-over-reverse products from torch.func.
import torch
from torch import nn
from torch.func import functional_call, jvp

torch.set_num_threads(1)
torch.manual_seed(260)

score = nn.Sequential(nn.Linear(2, 20), nn.Softplus(), nn.Linear(20, 2))


def apply(params, x):
    return functional_call(score, params, (x,))


def ssm(params, x):
    v = torch.randn_like(x)
    s, jv = jvp(lambda z: apply(params, z), (x,), (v,))
    return ((v * jv).sum(-1) + 0.5 * (v * s).sum(-1).square()).mean()


def colours(n):
    side = (torch.rand(n, 1) > 0.5).float() * 2 - 1
    return torch.cat([side + 0.4 * torch.randn(n, 1), 0.5 * side + 0.3 * torch.randn(n, 1)], 1)


class Ema:
    def __init__(self, params, decay):
        self.decay, self.avg = decay, {k: p.detach().clone() for k, p in params.items()}

    def update(self, params):
        for k, p in params.items():
            self.avg[k] = self.avg[k].lerp(p.detach(), 1 - self.decay)


params = dict(score.named_parameters())
ema = Ema(params, 0.99)
opt = torch.optim.Adam(params.values(), lr=3e-3)
for it in range(1, 1201):
    loss = ssm(params, colours(32))
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(params)
    if it % 300 == 0:
        with torch.no_grad():
            print(it, round(loss.item(), 3), apply(ema.avg, torch.zeros(1, 2)).tolist())
