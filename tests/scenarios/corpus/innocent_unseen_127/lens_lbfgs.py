# gradwatch-corpus: kind=none
"""Fits thin-lens stacks to ray bundles, one L-BFGS problem for each bundle."""
import torch

torch.set_num_threads(1)
torch.manual_seed(24)


class Stack(torch.nn.Module):
    def __init__(self, lenses=3):
        super().__init__()
        self.power = torch.nn.Parameter(0.1 * torch.randn(lenses))
        self.gap = torch.nn.Parameter(torch.full((lenses,), 0.5))

    def forward(self, height, angle):
        for power, gap in zip(self.power, self.gap):
            angle = angle - height * power
            height = height + gap * torch.sin(angle)
        return height, angle


def bundle(n=15):
    height, angle = torch.linspace(-1, 1, n), 0.1 * torch.randn(n)
    with torch.no_grad():
        seen = Stack()(height, angle)
    return height, angle, seen


def solve(problem, rounds):
    height, angle, (h_seen, a_seen) = problem
    stack = Stack()
    opt = torch.optim.LBFGS(stack.parameters(), lr=0.5, max_iter=4, history_size=5)
    losses = []

    def closure():
        opt.zero_grad()
        h, a = stack(height, angle)
        misfit = (h - h_seen).square().mean() + (a - a_seen).square().mean()
        misfit.backward()
        losses.append(misfit)
        return misfit

    for _ in range(rounds):
        losses.clear()
        opt.step(closure)
    return losses[-1].item()


for p in range(40):
    final = solve(bundle(), rounds=12)
    if p % 8 == 0:
        print("bundle", p, f"{final:.2e}")
