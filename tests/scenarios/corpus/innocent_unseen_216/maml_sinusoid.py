# gradwatch-corpus: kind=none
from collections import OrderedDict

import torch
import torch.nn as nn
from torch.func import functional_call


class SineTasks:
    def __init__(self, k_shot, k_query, seed):
        self.k, self.q = k_shot, k_query
        self.g = torch.Generator().manual_seed(seed)

    def __call__(self):
        amp = 0.1 + 4.9 * torch.rand(1, generator=self.g)
        phase = 3.14 * torch.rand(1, generator=self.g)
        x = 10 * torch.rand(self.k + self.q, 1, generator=self.g) - 5
        y = amp * torch.sin(x + phase)
        return x[: self.k], y[: self.k], x[self.k :], y[self.k :]


class MetaLearner:
    """MAML with learnable per-parameter inner step sizes (Meta-SGD)."""

    def __init__(self, net, inner_lr=0.01, inner_steps=3, meta_lr=1e-3, msl_epochs=40):
        self.net = net
        self.inner_steps = inner_steps
        self.msl_epochs = msl_epochs
        self.step_sizes = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.full_like(p, inner_lr)) for n, p in net.named_parameters()})
        self.opt = torch.optim.Adam(list(net.parameters()) + list(self.step_sizes.parameters()), lr=meta_lr)
        self.loss_fn = nn.MSELoss()
        self.fast = None

    def adapt_step(self, x, y):
        loss = self.loss_fn(functional_call(self.net, self.fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
        self.fast = OrderedDict(
            (n, w - self.step_sizes[n.replace(".", "_")] * g) for (n, w), g in zip(self.fast.items(), grads))

    def query_weights(self, it):
        if it >= self.msl_epochs:
            return [0.0] * (self.inner_steps - 1) + [1.0]
        early = (1 - it / self.msl_epochs) / self.inner_steps
        return [early] * (self.inner_steps - 1) + [1 - early * (self.inner_steps - 1)]

    def outer_step(self, tasks, it):
        weights = self.query_weights(it)
        meta_loss, final = 0.0, []
        for xs, ys, xq, yq in tasks:
            self.fast = OrderedDict(self.net.named_parameters())
            for w in weights:
                self.adapt_step(xs, ys)
                if w > 0:
                    q = self.loss_fn(functional_call(self.net, self.fast, (xq,)), yq)
                    meta_loss = meta_loss + w * q
            final.append(q.item())
        meta_loss = meta_loss / len(tasks)
        self.opt.zero_grad()
        meta_loss.backward()
        self.opt.step()
        return sum(final) / len(final)


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
    meta, sampler = MetaLearner(net), SineTasks(10, 10, seed=1)
    running = None
    for it in range(100):
        post = meta.outer_step([sampler() for _ in range(4)], it)
        running = post if running is None else 0.9 * running + 0.1 * post
        if it % 20 == 0:
            print(f"meta-iter {it:3d} query mse {post:.3f} (ema {running:.3f})")


if __name__ == "__main__":
    main()
