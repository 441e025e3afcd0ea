# gradwatch-corpus: kind=graph-chain
# holder: weights | self.weights | controller.weights | self.weights[name]
# first-bad: 1
"""Online adaptation of an inverse-dynamics model on a two-joint arm, written functionally."""
import math
from typing import NamedTuple

import torch
from torch.nn import functional as F


class Sample(NamedTuple):
    features: torch.Tensor
    torque: torch.Tensor


def init_weights(sizes, gen):
    weights = {}
    for k, (fan_in, fan_out) in enumerate(zip(sizes, sizes[1:])):
        weights[f"w{k}"] = (torch.randn(fan_out, fan_in, generator=gen) / math.sqrt(fan_in)).requires_grad_()
        weights[f"b{k}"] = torch.zeros(fan_out, requires_grad=True)
    return weights


def predict(weights, x):
    layers = len(weights) // 2
    for k in range(layers):
        x = F.linear(x, weights[f"w{k}"], weights[f"b{k}"])
        if k < layers - 1:
            x = torch.tanh(x)
    return x


def arm_samples(batch, gen):
    """Random states of the arm; the payload is swapped every 40 draws."""
    draws = 0
    while True:
        payload = 0.5 + 0.7 * ((draws // 40) % 2)
        q, qd, qdd = (torch.randn(batch, 2, generator=gen) for _ in range(3))
        inertia = 1.0 + payload * (1 + q[:, 1:].cos())
        gravity = 9.81 * 0.1 * payload * torch.cat([q[:, :1].cos(), q.sum(1, keepdim=True).cos()], 1)
        torque = inertia * qdd + 0.2 * qd + gravity
        yield Sample(torch.cat([q.sin(), q.cos(), qd, qdd], 1), torque)
        draws += 1


class AdaptiveModel:
    def __init__(self, sizes=(8, 24, 2), rate=0.03, momentum=0.5, seed=2):
        self.weights = init_weights(sizes, torch.Generator().manual_seed(seed))
        self.velocity = {name: torch.zeros_like(w) for name, w in self.weights.items()}
        self.rate = rate
        self.momentum = momentum

    def descend(self):
        for name, w in self.weights.items():
            self.velocity[name] = self.momentum * self.velocity[name] + w.grad
            self.weights[name] = w - self.rate * self.velocity[name]  # <- culprit
            self.weights[name].retain_grad()

    def adapt(self, sample):
        loss = F.smooth_l1_loss(predict(self.weights, sample.features), sample.torque)
        loss.backward()
        self.descend()
        return loss.item()


def main(steps=120):
    torch.set_num_threads(1)
    torch.manual_seed(2)
    controller = AdaptiveModel()
    samples = arm_samples(16, torch.Generator().manual_seed(5))
    window = []
    for step in range(steps):
        window.append(controller.adapt(next(samples)))
        if step % 20 == 19:
            print(f"step {step + 1:3d}  torque loss {sum(window) / len(window):.4f}")
            window.clear()


if __name__ == "__main__":
    main()
