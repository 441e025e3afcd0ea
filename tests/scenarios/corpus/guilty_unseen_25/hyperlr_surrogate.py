# gradwatch-corpus: kind=graph-chain
# holder: loop.theta | self.theta | theta | fast
# first-bad: 1
# notice: 5
# after: learnables/learn2learn #381 "Is LearnableOptimizer compatible with MAML?" (second task batch: backward a second time -> retain_graph)
"""Online hyper-gradient: per-layer learning rates of a chemistry surrogate are learned while it trains.

Purely functional: `theta` is the pytree of weights, updated out of place, `log_lr` is what the
torch optimizer owns.
"""
import functools
import torch
from torch.func import functional_call

torch.set_default_dtype(torch.float32)
gen = torch.Generator().manual_seed(3)

surrogate = torch.nn.Sequential(
    torch.nn.Linear(5, 24), torch.nn.SiLU(), torch.nn.Linear(24, 24), torch.nn.SiLU(), torch.nn.Linear(24, 2)
)
for p in surrogate.parameters():
    p.requires_grad_(False)


def batch(n=32):
    x = torch.rand(n, 5, generator=gen)
    y = torch.stack([torch.exp(-x[:, 0] * 3) * x[:, 1], x[:, 2] * x[:, 3] - x[:, 4]], 1)
    return x, y


def loss_fn(theta, x, y):
    return torch.nn.functional.mse_loss(functional_call(surrogate, theta, (x,)), y)


def inner_update(theta, log_lr, x, y):
    value = loss_fn(theta, x, y)
    grads = torch.autograd.grad(value, list(theta.values()), create_graph=True)
    rates = log_lr.exp()
    return {k: w - rates[i] * g for i, ((k, w), g) in enumerate(zip(theta.items(), grads))}  # <- culprit


class HyperLoop:
    def __init__(self, theta):
        self.theta = theta
        self.log_lr = torch.nn.Parameter(torch.full((len(theta),), -2.5))
        self.opt = torch.optim.Adam([self.log_lr], lr=1e-2)

    def __call__(self):
        fast = inner_update(self.theta, self.log_lr, *batch())
        val = loss_fn(fast, *batch())
        self.opt.zero_grad()
        val.backward(retain_graph=True, inputs=[self.log_lr])
        self.opt.step()
        self.theta = fast  # <- culprit
        return val.item()


loop = HyperLoop({k: v.clone().requires_grad_(True) for k, v in surrogate.named_parameters()})
curve = [loop() for _ in range(64)]
print("first", curve[0], "last", curve[-1])
