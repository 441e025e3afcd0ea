# gradwatch-corpus: kind=none
"""Few-shot binding affinity: MAML over protein families, inner loop on functional weights."""
import logging
import logging.handlers
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class MetaConfig:
    inner_steps: int = 3
    inner_lr: float = 0.1
    outer_lr: float = 2e-3
    families: int = 3
    shots: int = 10
    iters: int = 90


log = logging.getLogger("maml")
log.setLevel(logging.INFO)
log.propagate = False


class Family:
    """One protein family: shared descriptors, its own response direction."""

    def __init__(self, dim, gen):
        self.gen = gen
        self.amp = 0.5 + torch.rand(1, generator=gen)
        self.shift = torch.randn(dim, generator=gen) * 0.3

    def assays(self, n):
        x = torch.randn(n, len(self.shift), generator=self.gen)
        return x, self.amp * torch.sin((x + self.shift).sum(1, keepdim=True))


def adapt(net, weights, x, y, cfg):
    fast = dict(weights)
    path = []
    for _ in range(cfg.inner_steps):
        loss = nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: w - cfg.inner_lr * g for (k, w), g in zip(fast.items(), grads)}
        path.append(fast)
    return path


def outer_loss(net, path, x, y):
    # multi-step loss: later adaptation steps count more
    total, norm = 0.0, 0.0
    for k, fast in enumerate(path, start=1):
        total = total + k * nn.functional.mse_loss(functional_call(net, fast, (x,)), y)
        norm += k
    return total / norm


def main(cfg=MetaConfig()):
    torch.set_num_threads(1)
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(12)
    spool = logging.handlers.MemoryHandler(capacity=1000, target=logging.StreamHandler())
    log.addHandler(spool)
    net = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    weights = dict(net.named_parameters())
    opt = torch.optim.Adam(net.parameters(), lr=cfg.outer_lr)
    for it in range(cfg.iters):
        meta = torch.zeros(())
        for _ in range(cfg.families):
            fam = Family(4, gen)
            path = adapt(net, weights, *fam.assays(cfg.shots), cfg)
            meta = meta + outer_loss(net, path, *fam.assays(cfg.shots))
        meta = meta / cfg.families
        opt.zero_grad()
        meta.backward()
        opt.step()
        log.info("it %d meta %.3f", it, meta.detach())
    spool.flush()


if __name__ == "__main__":
    main()
