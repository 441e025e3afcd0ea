import torch
from torch import nn


class Context(nn.Module):
    """Encodes the problem of the generation for all islands."""

    def __init__(self, size=5, out=8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 16), nn.Tanh(), nn.Linear(16, out))
        self.problem = None
        self.encoded = None

    def refresh(self, problem):
        self.problem = problem
        self.encoded = None

    def get(self):
        if self.encoded is None:
            self.encoded = self.body(self.problem)  # <- culprit
        return self.encoded  # <- culprit

    def target(self):
        return self.problem.pow(2).sum(1, keepdim=True).sqrt()


class Island:
    def __init__(self, number, context):
        self.number = number
        self.context = context
        self.best = float("inf")
        self.restart()

    def restart(self):
        self.solver = nn.Sequential(nn.Linear(8, 12), nn.ELU(), nn.Linear(12, 1))
        self.opt = torch.optim.Adam([*self.solver.parameters(), *self.context.parameters()], lr=5e-3)

    def objective(self):
        out = self.solver(self.context.get())  # <- culprit
        return (out - self.context.target()).pow(2).mean()

    def improve(self):
        loss = self.objective()
        self.opt.zero_grad()
        loss.backward()  # <- culprit
        self.opt.step()
        self.best = min(self.best, loss.item())

    def receive(self, other):
        self.solver.load_state_dict(other.solver.state_dict())
