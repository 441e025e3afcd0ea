# gradwatch-corpus: kind=none
"""Least-squares design of a three-element paraxial lens stack; tolerance draws change per round."""
import torch
from torch import nn


class LensStack(nn.Module):
    def __init__(self, elements=3):
        super().__init__()
        self.power = nn.Parameter(0.05 * torch.randn(elements))
        self.log_gap = nn.Parameter(torch.zeros(elements))

    def geometry(self):
        return self.power, self.log_gap.exp()

    def trace(self, height, angle, jitter):
        power, gap = self.geometry()
        y, u = height, angle
        for i in range(len(power)):
            u = u - y * (power[i] + jitter[i])
            y = y + gap[i] * u
        return y, u


class Designer:
    def __init__(self, stack, focal=10.0):
        self.stack = stack
        self.focal = focal
        self.opt = torch.optim.LBFGS(stack.parameters(), lr=0.6, max_iter=5, line_search_fn="strong_wolfe")
        self.best = float("inf")
        self.best_power = None
        self.values = []
        self.last = None

    def merit(self, rays, jitter):
        y, u = self.stack.trace(*rays, jitter)
        bend = (u + rays[0] / self.focal - rays[1]).pow(2).mean()
        spot = y.pow(2).mean()
        length = self.stack.geometry()[1].sum()
        return 50 * bend + 0.02 * spot + 0.01 * (length - 4).pow(2)

    def round(self, rays):
        jitter = 0.002 * torch.randn(len(self.stack.power))

        def closure():
            self.opt.zero_grad()
            self.last = self.merit(rays, jitter)
            self.last.backward()
            self.values.append(self.last.item())
            return self.last

        start = self.opt.step(closure)
        if start.item() < self.best:
            self.best = start.item()
            self.best_power = self.stack.power.detach().clone()
        return start


def bundle(n=80):
    return 2 * torch.rand(n) - 1, 0.05 * torch.randn(n)


def main():
    torch.manual_seed(27)
    designer = Designer(LensStack())
    for r in range(70):
        merit = designer.round(bundle())
        if r % 14 == 0:
            print(f"round {r:3d}  merit {merit.item():.6f}  evaluations {len(designer.values)}")
    print("best", f"{designer.best:.6f}", "power", [round(p, 4) for p in designer.best_power.tolist()])


if __name__ == "__main__":
    main()
