# gradwatch-corpus: kind=graph-chain
# holder: self.x | plant.x | self.plant.x
# first-bad: 1
"""Neural state feedback for a bank of simulated carts that follow a slow reference,
trained by differentiating through the linear plant (homework 4, analytic policy gradients)."""
import math

import torch

torch.manual_seed(8)

DT = 0.1
CARTS = 16
SEGMENT = 2
HIDDEN = 12
UPDATES = 220


class CartPlant:
    """Carts with friction and a weak spring; state is (position, velocity)."""

    def __init__(self, n, gen):
        self.gen = gen
        self.A = torch.tensor([[1.0, DT], [-0.4 * DT, 1.0 - 0.9 * DT]])
        self.B = torch.tensor([[0.0], [DT]])
        self.x = torch.randn(n, 2, generator=gen)
        self.k = 0

    def reference(self):
        return math.sin(0.02 * self.k)

    def push(self, force):
        noise = 0.01 * torch.randn(self.x.shape, generator=self.gen)
        self.x = self.x @ self.A.T + force @ self.B.T + noise  # <- culprit
        self.k += 1
        return self.x


def glorot(n_in, n_out):
    lim = math.sqrt(6 / (n_in + n_out))
    return ((2 * torch.rand(n_in, n_out) - 1) * lim).requires_grad_()


class Policy:
    def __init__(self):
        self.w1 = glorot(3, HIDDEN)
        self.b1 = torch.zeros(HIDDEN, requires_grad=True)
        self.w2 = glorot(HIDDEN, 1)

    def parameters(self):
        return [self.w1, self.b1, self.w2]

    def __call__(self, x, ref):
        obs = torch.cat([x, torch.full((x.shape[0], 1), ref)], dim=1)
        return torch.tanh(torch.addmm(self.b1, obs, self.w1)) @ self.w2


class PlainSGD:
    """Momentum by hand, the exercise sheet does not allow torch.optim."""

    def __init__(self, params, lr, mu=0.8, max_norm=1.0):
        self.params, self.lr, self.mu, self.max_norm = params, lr, mu, max_norm
        self.vel = [torch.zeros_like(p) for p in params]

    def step(self):
        norm = torch.sqrt(sum((p.grad ** 2).sum() for p in self.params))
        scale = min(1.0, self.max_norm / (norm.item() + 1e-9))
        for p, v in zip(self.params, self.vel):
            v.mul_(self.mu).add_(p.grad, alpha=scale)
            p.data -= self.lr * v
            p.grad = None


def segment_cost(plant, policy):
    cost = 0.0
    for _ in range(SEGMENT):
        ref = plant.reference()
        u = policy(plant.x, ref)
        x = plant.push(u)
        cost = cost + ((x[:, 0] - ref) ** 2).mean() + 1e-3 * (u ** 2).mean()
    return cost / SEGMENT


def main():
    gen = torch.Generator().manual_seed(8)
    plant = CartPlant(CARTS, gen)
    policy = Policy()
    sgd = PlainSGD(policy.parameters(), lr=0.02)
    for update in range(UPDATES):
        cost = segment_cost(plant, policy)
        cost.backward(retain_graph=True)  # <- culprit
        sgd.step()
        if update % 40 == 0:
            print(f"update {update:3d}  cost {cost.item():.4f}  ref {plant.reference():+.2f}")
    print(f"final cost {cost.item():.4f}")


if __name__ == "__main__":
    main()
