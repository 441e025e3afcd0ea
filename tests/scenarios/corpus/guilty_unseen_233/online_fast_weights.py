# gradwatch-corpus: kind=graph-chain
# holder: fast_weights
# first-bad: 1
import torch
import torch.nn as nn
from torch.func import functional_call


class Regressor(nn.Module):
    def __init__(self, d_in=1, d_h=20):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(d_in, d_h),
            nn.Tanh(),
            nn.Linear(d_h, 1),
        )

    def forward(self, x):
        return self.net(x)


class LearnedLR(nn.Module):
    """per-tensor step sizes alpha, as in Meta-SGD"""

    def __init__(self, model, init=0.03):
        super().__init__()
        self.names = [n for n, _ in model.named_parameters()]
        self.log_alpha = nn.Parameter(torch.full((len(self.names),), init).log())

    def inner_update(self, weights, grads):
        alpha = self.log_alpha.exp()
        new = {}
        for i, n in enumerate(self.names):
            new[n] = weights[n] - alpha[i] * grads[i]
        return new


def sample_task(gen):
    amp = 0.5 + torch.rand(1, generator=gen)
    phase = 3.14 * torch.rand(1, generator=gen)

    def draw(n=16):
        x = -3 + 6 * torch.rand(n, 1, generator=gen)
        return x, amp * torch.sin(x + phase)

    return draw


def adapt(model, weights, lr_net, support, n_inner=1):
    xs, ys = support
    for _ in range(n_inner):
        inner = ((functional_call(model, weights, (xs,)) - ys) ** 2).mean()
        grads = torch.autograd.grad(inner, list(weights.values()), create_graph=True)
        weights = lr_net.inner_update(weights, grads)
    return weights


def train(n_iters=60):
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(99)
    model = Regressor()
    lr_net = LearnedLR(model)
    meta_opt = torch.optim.Adam(lr_net.parameters(), lr=1e-3)

    fast_weights = {n: p.detach().clone().requires_grad_(True) for n, p in model.named_parameters()}
    draw = sample_task(gen)
    for it in range(n_iters):
        if it % 20 == 0:
            draw = sample_task(gen)
        fast_weights = adapt(model, fast_weights, lr_net, draw())  # <- culprit
        xq, yq = draw()
        pred = functional_call(model, fast_weights, (xq,))
        outer = ((pred - yq) ** 2).mean()
        meta_opt.zero_grad()
        outer.backward(retain_graph=True)  # <- culprit
        nn.utils.clip_grad_norm_(lr_net.parameters(), 1.0)
        meta_opt.step()
        if it % 10 == 0:
            print("it %d outer %.4f alpha %.4f" % (it, outer.item(), lr_net.log_alpha.exp().mean().item()))


if __name__ == "__main__":
    train()
