# gradwatch-corpus: kind=none
# about: a search: ten configurations by three folds, each with a new model and another
# about: optimizer; the results keep scores, and the best model whole
import itertools

import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS


def build(width, depth):
    layers = [nn.Linear(16, width), nn.ReLU()]
    for _ in range(depth - 1):
        layers += [nn.Linear(width, width), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(width, 4))


OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.05),
    "adam": lambda p: torch.optim.Adam(p, lr=2e-3),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=1e-3),
}


def fit(model, optimizer, x, y, steps):
    for step in range(steps):
        rows = torch.randint(0, len(x), (32,))
        loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


class Search:
    def __init__(self):
        self.results, self.best = {}, (0.0, None)

    def run(self, steps):
        x, y = classes(360)
        folds = torch.randperm(360).chunk(3)
        for width, depth, name in itertools.product((8, 32), (1, 2), OPTIMIZERS):
            scores = []
            for i, held in enumerate(folds):
                rows = torch.cat([f for j, f in enumerate(folds) if j != i])
                model = build(width, depth)
                fit(model, OPTIMIZERS[name](model.parameters()), x[rows], y[rows], steps)
                with torch.no_grad():
                    scores.append((model(x[held]).argmax(1) == y[held]).float().mean().item())
            self.results[width, depth, name] = sum(scores) / 3
            if self.results[width, depth, name] > self.best[0]:
                self.best = (self.results[width, depth, name], model)
            print(width, depth, name, f"{self.results[width, depth, name]:.5f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    Search().run(max(2, ITERATIONS // 18))
