# gradwatch-corpus: kind=none
"""n-step TD for a warehouse restocking problem: values stay in a deque until their
n-step return is known, then they are trained one at a time."""
from collections import deque

import torch
from torch import nn

N, GAMMA = 6, 0.9


class Warehouse:
    def __init__(self, gen):
        self.gen = gen
        self.stock = torch.full((4,), 5.0)

    def obs(self):
        return self.stock / 10

    def step(self):
        demand = torch.poisson(torch.full((4,), 1.5), generator=self.gen)
        sold = torch.minimum(self.stock, demand)
        self.stock = self.stock - sold
        self.stock = torch.where(self.stock < 2, self.stock + 6, self.stock)
        return (sold.sum() - 0.1 * self.stock.sum()).item()


class Fourier(nn.Module):
    """Random features; only the read-out is learned."""

    def __init__(self, d, m):
        super().__init__()
        self.register_buffer("w", 2 * torch.randn(d, m))
        self.out = nn.Linear(m, 1)

    def forward(self, x):
        return self.out(torch.cos(x @ self.w)).squeeze(-1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(66)
    env = Warehouse(torch.Generator().manual_seed(67))
    critic = Fourier(4, 48)
    opt = torch.optim.SGD(critic.parameters(), lr=0.001)
    waiting = deque()
    recent = deque(maxlen=30)
    for t in range(520):
        value = critic(env.obs())
        reward = env.step()
        waiting.append([value, 0.0, 1.0])
        for item in waiting:
            item[1] += item[2] * reward
            item[2] *= GAMMA
        if len(waiting) < N:
            continue
        value, ret, scale = waiting.popleft()
        with torch.no_grad():
            ret = ret + scale * critic(env.obs())
        loss = (value - ret) ** 2
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.append(loss)
        if t % 130 == 129:
            print(f"t={t + 1} td^2 over last {len(recent)}: {torch.stack(list(recent)).mean().item():.4f}")


if __name__ == "__main__":
    main()
