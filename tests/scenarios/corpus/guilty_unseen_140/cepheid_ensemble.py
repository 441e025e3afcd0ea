# gradwatch-corpus: kind=crashed
# holder: stacked | params
# first-bad: 0
# notice: 0
# Period-luminosity-colour ensemble, members evaluated together under vmap.
import copy
from functools import reduce
from operator import add
import torch
from torch import nn
from torch.func import functional_call, stack_module_state, vmap

torch.set_num_threads(1)
torch.manual_seed(88)

MEMBERS = 5


def member():
    return nn.Sequential(nn.Linear(2, 8), nn.GELU(), nn.Linear(8, 2))


ensemble = [member() for _ in range(MEMBERS)]
skeleton = copy.deepcopy(ensemble[0]).to("meta")


def gather(models):
    stacked, _ = stack_module_state(models)
    return {name: tensor.detach() for name, tensor in stacked.items()}  # <- culprit


def one(params, x):
    return functional_call(skeleton, params, (x,))


every = vmap(one, in_dims=(0, None))


def gaussian_nll(out, mag):
    mean, log_sd = out.unbind(-1)
    return (0.5 * ((mag - mean) / log_sd.exp()) ** 2 + log_sd).mean(-1)


def cepheids(n=32):
    log_p = torch.rand(n) * 1.5
    colour = 0.3 + 0.4 * log_p + 0.1 * torch.randn(n)
    mag = -2.8 * (log_p - 1) + 1.2 * (colour - 0.7) + 0.08 * torch.randn(n)
    return torch.stack([log_p, colour], 1), mag


def disagreement(params, x):
    return every(params, x)[..., 0].var(0).mean()


weights = reduce(add, [list(m.parameters()) for m in ensemble])
opt = torch.optim.Adam(weights, lr=5e-3)

for night in range(400):
    x, mag = cepheids()
    params = gather(ensemble)
    per_member = gaussian_nll(every(params, x), mag)
    loss = per_member.mean() + 0.1 * disagreement(params, x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if night % 100 == 0:
        print(night, [round(v, 3) for v in per_member.tolist()])
