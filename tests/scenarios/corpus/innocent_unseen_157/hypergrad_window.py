# gradwatch-corpus: kind=none
"""Per-layer step sizes learnt by the gradient through a short stretch of SGD (truncated hypergradient)."""
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(12)


class StepSizes(nn.Module):
    def __init__(self, names, initial=0.05):
        super().__init__()
        self.names = list(names)
        self.log_rate = nn.Parameter(torch.full((len(self.names),), initial).log())

    def update(self, weights, grads):
        rates = self.log_rate.exp()
        return {n: w - rates[i] * g for i, (n, w, g) in enumerate(zip(self.names, weights.values(), grads))}


class UnrolledTraining:
    def __init__(self, model, stretch=5, lr=0.05):
        self.model = model
        self.stretch = stretch
        self.weights = {n: p.detach().clone().requires_grad_() for n, p in model.named_parameters()}
        self.sizes = StepSizes(self.weights)
        self.meta = torch.optim.Adam(self.sizes.parameters(), lr=lr)
        self.age = 0

    def loss(self, batch):
        x, y = batch
        return nn.functional.mse_loss(functional_call(self.model, self.weights, (x,)), y)

    def inner(self, batch):
        loss = self.loss(batch)
        grads = torch.autograd.grad(loss, list(self.weights.values()), create_graph=True)
        self.weights = self.sizes.update(self.weights, grads)
        self.age += 1
        return loss.item()

    def outer(self, batch):
        loss = self.loss(batch)
        self.meta.zero_grad()
        loss.backward()
        self.meta.step()
        self.weights = {n: w.detach().requires_grad_() for n, w in self.weights.items()}
        self.age = 0
        return loss.item()


def problem(batch):
    mix = torch.randn(6, 2)
    while True:
        x = torch.randn(batch, 6)
        yield x, torch.sin(x @ mix)


def main(stretches=70):
    run = UnrolledTraining(nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 2)))
    train, valid = problem(16), problem(32)
    losses = []
    for s in range(stretches):
        while run.age < run.stretch:
            losses.append(run.inner(next(train)))
        held_out = run.outer(next(train))
        if s % 14 == 13:
            rates = ", ".join(f"{r:.3f}" for r in run.sizes.log_rate.exp().tolist())
            print(f"stretch {s + 1:2d} held out {held_out:.4f} rates {rates}")


if __name__ == "__main__":
    main()
