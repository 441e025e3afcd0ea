# gradwatch-corpus: kind=none
# about: Reptile: inner SGD optimizers made afresh for each task, no outer optimizer at all: the
# about: weights move toward the adapted copy by hand
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Reptile:
    def __init__(self, model, epsilon=0.1):
        self.model, self.epsilon = model, epsilon
        self.history = []

    def adapt(self, x, y, steps):
        optimizer = torch.optim.SGD(self.model.parameters(), lr=0.02)
        for _ in range(steps):
            rows = torch.randint(0, len(x), (10,))
            loss = ((self.model(x[rows]) - y[rows]) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return loss

    def meta_step(self, task):
        before = {k: v.clone() for k, v in self.model.state_dict().items()}
        loss = self.adapt(*task, steps=8)
        after = self.model.state_dict()
        self.model.load_state_dict(
            {k: before[k] + (after[k] - before[k]) * self.epsilon for k in before}
        )
        self.history.append(loss.item())


def random_sine():
    x = torch.linspace(-5, 5, 50).unsqueeze(1)
    return x, (0.1 + 4.9 * torch.rand(1)) * torch.sin(x + torch.pi * 2 * torch.rand(1))


if __name__ == "__main__":
    torch.manual_seed(0)
    reptile = Reptile(nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 1)))
    for i in range(ITERATIONS // 4):
        reptile.meta_step(random_sine())
        if i % 15 == 0:
            print(f"{i}: {reptile.history[-1]:.6f}")
