# gradwatch-corpus: kind=none
# about: an LSTM that is an optimizer: its state and the optimizee's weights are carried through
# about: an unroll of twenty steps with their graphs, then detached; the losses are summed
# about: meanwhile
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class LearnedOptimizer(nn.Module):
    def __init__(self, hidden=10):
        super().__init__()
        self.lstm = nn.LSTMCell(1, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def start(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)

    def forward(self, grad, state):
        state = self.lstm(grad.view(-1, 1) * 10, state)
        return 0.1 * self.out(state[0]).view_as(grad), state


class Quadratic:
    def __init__(self, dim=8):
        self.W, self.y = torch.randn(dim, dim), torch.randn(dim)

    def __call__(self, theta):
        return ((self.W @ theta - self.y) ** 2).mean()


def fit(learner, meta, steps=60, unroll=20):
    """One optimizee trained from its start; the meta-optimizer steps after each unroll."""
    problem = Quadratic()
    theta = torch.randn(8, requires_grad=True)
    state = learner.start(8)
    all_losses, seen = None, []
    for t in range(1, steps + 1):
        loss = problem(theta)
        seen.append(loss.detach().clone())
        all_losses = loss if all_losses is None else all_losses + loss
        (grad,) = torch.autograd.grad(loss, theta, retain_graph=True)
        update, state = learner(grad.detach(), state)
        theta = theta + update
        if t % unroll == 0:
            meta.zero_grad()
            all_losses.backward()
            nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
            meta.step()
            all_losses = None
            theta = theta.detach().requires_grad_()
            state = tuple(s.detach() for s in state)
    return torch.stack(seen)


def main():
    torch.manual_seed(0)
    learner = LearnedOptimizer()
    meta = torch.optim.Adam(learner.parameters(), lr=3e-3)
    for problem in range(ITERATIONS // 9):
        seen = fit(learner, meta)
        if problem % 6 == 0:
            print(f"{problem}: from {seen[0].item():.6f} to {seen[-1].item():.6f}")


if __name__ == "__main__":
    main()
