# gradwatch-corpus: kind=none
# about: weight norm, spectral norm (whose vectors are carried from step to step in buffers) and
# about: a parametrization cached over several micro-batches, so that their graphs share its
# about: nodes
import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize
from parts.blobs import batches, classes
from parts.pace import ITERATIONS
from torch.nn.utils.parametrizations import orthogonal, spectral_norm, weight_norm


class Symmetric(nn.Module):
    def forward(self, w):
        return w.triu() + w.triu(1).transpose(-1, -2)


def build():
    square = nn.Linear(24, 24)
    parametrize.register_parametrization(square, "weight", Symmetric())
    return nn.Sequential(
        weight_norm(nn.Linear(16, 24)),
        nn.Tanh(),
        spectral_norm(nn.Linear(24, 24)),
        nn.Tanh(),
        square,
        nn.Tanh(),
        orthogonal(nn.Linear(24, 8)),
        nn.Linear(8, 4),
    )


def main():
    torch.manual_seed(0)
    stream, model = batches(*classes(), size=16), build()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS // 3):
        optimizer.zero_grad()
        with parametrize.cached():
            losses = []
            for _ in range(3):
                x, y = next(stream)
                losses.append(nn.functional.cross_entropy(model(x), y))
            sum(losses).backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"{step}: {sum(losses).item() / 3:.6f}")


if __name__ == "__main__":
    main()
