# gradwatch-corpus: kind=none
"""Tuning a feedback gain online by differentiating through the plant over short horizons."""
import torch
from torch import nn


class Plant:
    def __init__(self, lanes, gen):
        self.gen = gen
        self.A = torch.tensor([[1.0, 0.1], [-0.05, 0.98]])
        self.B = torch.tensor([[0.0], [0.1]])
        self.state = torch.randn(lanes, 2, generator=gen)

    def advance(self, u):
        noise = 0.05 * torch.randn(self.state.shape, generator=self.gen)
        self.state = self.state @ self.A.T + u @ self.B.T + noise
        return self.state

    def rebase(self):
        self.state = self.state.detach()


class Gain(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = nn.Parameter(torch.zeros(1, 2))
        self.bias = nn.Parameter(torch.zeros(1))

    def snapshot(self):
        k, b = self.k.clone(), self.bias.clone()
        return lambda s: -(s @ k.T) + b


def stage_cost(state, u):
    return state[:, 0].pow(2).mean() + 0.2 * state[:, 1].pow(2).mean() + 0.01 * u.pow(2).mean()


def main(ticks=600, horizon=6):
    torch.manual_seed(15)
    plant = Plant(24, torch.Generator().manual_seed(16))
    gain = Gain()
    opt = torch.optim.Adam(gain.parameters(), lr=0.01)
    costs = []
    for tick in range(ticks):
        control = gain.snapshot()
        u = control(plant.state)
        cost = stage_cost(plant.advance(u), u)
        costs.append(cost)
        last = len(costs) == horizon
        opt.zero_grad()
        (0.5 * cost + 0.5 * torch.stack(costs).mean()).backward(retain_graph=not last)
        nn.utils.clip_grad_norm_(gain.parameters(), 1.0)
        opt.step()
        if last:
            plant.rebase()
            costs.clear()
        if tick % 100 == 0:
            k = [round(v, 3) for v in gain.k.detach().flatten().tolist()]
            print(f"tick {tick} cost {cost.item():.4f} gain {k}")


if __name__ == "__main__":
    main()
