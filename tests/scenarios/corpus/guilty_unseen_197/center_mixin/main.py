# gradwatch-corpus: kind=graph-chain
# holder: self.centers | criterion.centers | self.criterion.centers
# first-bad: 1
from dataclasses import dataclass

import torch
from torch import nn

from losses import CompactSoftmax
from registry import ENCODERS, OPTIMIZERS


@dataclass
class Recipe:
    encoder: str = "spectral"
    optimizer: str = "sgd"
    features: int = 18
    dim: int = 6
    classes: int = 4
    batch: int = 32
    steps: int = 400
    lr: float = 0.03


@ENCODERS.register("spectral")
class SpectralEncoder(nn.Module):
    def __init__(self, features, dim):
        super().__init__()
        self.lin = nn.Linear(features, dim)

    def forward(self, x):
        return torch.tanh(self.lin(x))


@OPTIMIZERS.register("sgd")
def sgd(params, lr):
    return torch.optim.SGD(params, lr=lr, momentum=0.9, nesterov=True)


class Fit:
    def __init__(self, recipe):
        self.recipe = recipe
        self.encoder = ENCODERS.build(recipe.encoder, recipe.features, recipe.dim)
        self.criterion = CompactSoftmax(recipe.classes, recipe.dim)
        params = [*self.encoder.parameters(), *self.criterion.parameters()]
        self.optimizer = OPTIMIZERS.build(recipe.optimizer, params, recipe.lr)
        self.losses = []

    def step(self, x, y):
        loss = self.criterion(self.encoder(x), y)
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.losses.append(loss.item())

    def run(self, batches):
        for step, (x, y) in enumerate(batches):
            self.step(x, y)
            if step % 100 == 0:
                recent = self.losses[-20:]
                print(step, round(sum(recent) / len(recent), 4))


def batches(recipe, seed=21):
    g = torch.Generator().manual_seed(seed)
    modes = torch.randn(recipe.classes, recipe.features, generator=g)
    for _ in range(recipe.steps):
        y = torch.randint(recipe.classes, (recipe.batch,), generator=g)
        yield modes[y] + torch.randn(recipe.batch, recipe.features, generator=g), y


if __name__ == "__main__":
    torch.manual_seed(2)
    recipe = Recipe()
    Fit(recipe).run(batches(recipe))
