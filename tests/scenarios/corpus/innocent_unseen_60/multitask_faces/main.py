# gradwatch-corpus: kind=none
"""Two tasks on one encoder, with an optimizer for each of the three parts.

The gradients of the tasks on the encoder are taken apart, to see how much they conflict
(cosine), and added.
"""
import argparse

import torch
import torch.nn.functional as F

from data import loaders
from model import AgeHead, Encoder, SmileHead


def flat_grad(module):
    return torch.cat([p.grad.flatten() for p in module.parameters()])


class MultiTask:
    def __init__(self, lr):
        self.encoder, self.age, self.smile = Encoder(), AgeHead(), SmileHead()
        self.optimizers = {
            "encoder": torch.optim.Adam(self.encoder.parameters(), lr=lr),
            "age": torch.optim.Adam(self.age.parameters(), lr=2 * lr),
            "smile": torch.optim.SGD(self.smile.parameters(), lr=20 * lr, momentum=0.9),
        }
        self.features = None

    def step(self, x, age, smile):
        for opt in self.optimizers.values():
            opt.zero_grad()
        self.features = self.encoder(x)
        loss_age = F.mse_loss(self.age(self.features), age)
        loss_smile = F.cross_entropy(self.smile(self.features), smile)

        loss_age.backward(retain_graph=True)
        g_age = flat_grad(self.encoder).clone()
        loss_smile.backward()
        g_smile = flat_grad(self.encoder) - g_age

        for opt in self.optimizers.values():
            opt.step()
        cosine = F.cosine_similarity(g_age, g_smile, dim=0)
        return {"age": loss_age, "smile": loss_smile, "cosine": cosine}

    @torch.no_grad()
    def validate(self, loader):
        err = right = n = 0
        for x, age, smile in loader:
            z = self.encoder(x)
            err += (self.age(z) - age).abs().sum().item()
            right += (self.smile(z).argmax(1) == smile).sum().item()
            n += len(x)
        return err / n, right / n


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=10)
    ap.add_argument("--lr", type=float, default=2e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(6)

    train, valid = loaders()
    task = MultiTask(args.lr)
    history = {"age": [], "smile": [], "cosine": []}
    for epoch in range(args.epochs):
        for batch in train:
            metrics = task.step(*batch)
            for name, value in metrics.items():
                history[name].append(value.item())
        mae, acc = task.validate(valid)
        means = {k: sum(v[-len(train):]) / len(train) for k, v in history.items()}
        print(epoch, {k: round(v, 4) for k, v in means.items()}, f"mae {mae:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
