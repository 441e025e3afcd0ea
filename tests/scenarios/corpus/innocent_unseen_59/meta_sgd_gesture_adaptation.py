# gradwatch-corpus: kind=none
"""Meta-SGD: initial weights and per-parameter step sizes learned through the inner loop.

Users of a gesture sensor differ by a rotation; a model has to adapt to a new one
from a few labelled windows.  Second-order gradients go through every inner step.
"""
import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class GestureNet(nn.Module):
    def __init__(self, channels, classes, width=28):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(channels, width), nn.Tanh(), nn.Linear(width, classes))

    def forward(self, x):
        return self.body(x)


class InnerLoop:
    """Adapts a dict of weights; the trajectory is kept for the outer loss on every step."""

    def __init__(self, model, steps):
        self.model, self.steps = model, steps
        self.trajectory = []

    def adapt(self, rates, x, y):
        weights = dict(self.model.named_parameters())
        self.trajectory = [weights]
        for _ in range(self.steps):
            loss = F.cross_entropy(functional_call(self.model, weights, (x,)), y)
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {n: w - rates[n] * g for (n, w), g in zip(weights.items(), grads)}
            self.trajectory.append(weights)
        return weights

    def outer_loss(self, x, y, emphasis):
        """Multi-step loss (MAML++): later weights count for more."""
        losses = [F.cross_entropy(functional_call(self.model, w, (x,)), y)
                  for w in self.trajectory[1:]]
        share = torch.softmax(emphasis * torch.arange(len(losses), dtype=torch.float32), 0)
        return (share * torch.stack(losses)).sum(), losses[-1].item()


class Users:
    def __init__(self, channels, classes, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.prototype = torch.randn(classes, channels, generator=self.gen)
        self.channels, self.classes = channels, classes

    def episode(self, shots, queries):
        turn, _ = torch.linalg.qr(torch.randn(self.channels, self.channels, generator=self.gen))

        def windows(n):
            y = torch.arange(self.classes).repeat(n)
            x = self.prototype[y] @ turn
            return x + 0.2 * torch.randn(x.shape, generator=self.gen), y

        return windows(shots), windows(queries)


class MetaTrainer:
    def __init__(self, model, inner_steps, lr):
        self.model = model
        self.inner = InnerLoop(model, inner_steps)
        self.log_rates = nn.ParameterDict({
            n.replace(".", "/"): nn.Parameter(torch.full_like(p, -2.0))
            for n, p in model.named_parameters()})
        self.opt = torch.optim.Adam([*model.parameters(), *self.log_rates.parameters()], lr=lr)
        self.history = []

    def meta_step(self, users, episodes, emphasis):
        self.opt.zero_grad()
        rates = {n.replace("/", "."): p.exp() for n, p in self.log_rates.items()}
        total, final = 0.0, 0.0
        for _ in range(episodes):
            support, query = users.episode(3, 4)
            self.inner.adapt(rates, *support)
            loss, last = self.inner.outer_loss(*query, emphasis)
            total = total + loss / episodes
            final += last / episodes
        total.backward()
        self.opt.step()
        self.history.append((total.item(), final))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--inner", type=int, default=4)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(15)
    trainer = MetaTrainer(GestureNet(6, 4), args.inner, 4e-3)
    users = Users(6, 4, 16)
    for step in range(args.steps):
        trainer.meta_step(users, 3, emphasis=min(3.0, step / 30))
        if step % 20 == 0:
            outer, final = trainer.history[-1]
            print(f"meta {step:3d} outer {outer:.4f} after adaptation {final:.4f}")


if __name__ == "__main__":
    main()
