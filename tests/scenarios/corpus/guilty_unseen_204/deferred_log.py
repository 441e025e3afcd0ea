# gradwatch-corpus: kind=graph-held
# holder: self._pending | log._pending
# first-bad: 1
import contextlib
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class LogConfig:
    flush_at_exit: bool = True
    tags: tuple = ("recon", "sparsity")


@dataclass
class Losses:
    recon: torch.Tensor
    sparsity: torch.Tensor
    weight: float = 0.05
    extras: dict = field(default_factory=dict)

    @property
    def total(self):
        return self.recon + self.weight * self.sparsity


class DeferredLog:
    def __init__(self, config):
        self.config = config
        self._pending = []
        self.rows = []

    def defer(self, step, losses):
        def render():
            return {"step": step, **{t: getattr(losses, t).item() for t in self.config.tags}}
        self._pending.append(render)  # <- culprit

    def flush(self):
        self.rows.extend(render() for render in self._pending)
        self._pending.clear()

    @contextlib.contextmanager
    def session(self):
        try:
            yield self
        finally:
            if self.config.flush_at_exit:
                self.flush()


class SparseCoder(nn.Module):
    def __init__(self, dim=16, atoms=40):
        super().__init__()
        self.encode = nn.Linear(dim, atoms)
        self.decode = nn.Linear(atoms, dim, bias=False)

    def forward(self, x):
        code = torch.relu(self.encode(x))
        return self.decode(code), code

    def losses(self, x):
        recon, code = self(x)
        return Losses((recon - x).pow(2).mean(), code.abs().mean(), extras={"n": len(x)})


def patches(n_steps, seed):
    gen = torch.Generator().manual_seed(seed)
    basis = torch.randn(10, 16, generator=gen)
    for _ in range(n_steps):
        weights = torch.rand(32, 10, generator=gen) * (torch.rand(32, 10, generator=gen) < 0.2)
        yield weights @ basis


class Trainer:
    def __init__(self, model, log):
        self.model = model
        self.log = log
        self.opt = torch.optim.Adam(model.parameters(), lr=4e-3)

    def update(self, step, x):
        losses = self.model.losses(x)
        self.opt.zero_grad(set_to_none=True)
        losses.total.backward()
        self.opt.step()
        self.log.defer(step, losses)


def main():
    torch.manual_seed(21)
    log = DeferredLog(LogConfig())
    trainer = Trainer(SparseCoder(), log)
    with log.session():
        for step, x in enumerate(patches(480, seed=4)):
            trainer.update(step, x)
    print(len(log.rows), log.rows[0], log.rows[-1])


if __name__ == "__main__":
    main()
