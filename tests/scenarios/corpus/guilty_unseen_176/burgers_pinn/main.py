# gradwatch-corpus: kind=graph-held
# holder: self.jobs | writer.jobs
# first-bad: 1
import math
import tempfile
from pathlib import Path

import torch

from model import FieldNet, burgers_residual
from reporting import DeferredWriter

NU = 0.01 / math.pi


def sample(n: int, gen: torch.Generator):
    x = 2 * torch.rand(n, generator=gen) - 1
    t = torch.rand(n, generator=gen)
    return x, t


def train(out: Path, steps: int = 420) -> None:
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(14)
    net = FieldNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    x0 = torch.linspace(-1, 1, 64)
    u0 = -torch.sin(math.pi * x0)
    with DeferredWriter(out) as writer:
        for step in range(steps):
            pde = burgers_residual(net, *sample(96, gen), NU).square().mean()
            ic = (net(x0, torch.zeros_like(x0)) - u0).square().mean()
            _, tb = sample(32, gen)
            edge = torch.ones_like(tb)
            bc = net(edge, tb).square().mean() + net(-edge, tb).square().mean()
            loss = pde + 10 * ic + bc
            opt.zero_grad()
            loss.backward()
            opt.step()
            writer.scalar(step, "loss", loss)
            writer.scalar(step, "grad_norm", sum(p.grad.norm() for p in net.parameters()))
            if step % 84 == 0:
                print(f"{step:4d} pde {pde.item():.4f} ic {ic.item():.4f}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as tmp:
        train(Path(tmp) / "burgers.tsv")
