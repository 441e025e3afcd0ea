"""Soft assignment of jobs to machines."""
import torch
from torch import nn


class Overload(RuntimeError):
    def __init__(self, machine, excess):
        super().__init__(f"machine {machine} over by {excess:.2f} h")
        self.machine = machine
        self.excess = excess


class Planner(nn.Module):
    def __init__(self, job_dim, machines, dim=24):
        super().__init__()
        self.job = nn.Sequential(nn.Linear(job_dim, dim), nn.Tanh(), nn.Linear(dim, dim))
        self.machine = nn.Parameter(0.3 * torch.randn(machines, dim))

    def scores(self, jobs):
        return self.job(jobs) @ self.machine.T

    def forward(self, jobs, temperature=0.5, rounds=3):
        log_p = self.scores(jobs) / temperature
        for _ in range(rounds):
            log_p = log_p - log_p.logsumexp(0, keepdim=True)
            log_p = log_p - log_p.logsumexp(1, keepdim=True)
        return log_p.exp()


def checked(plan, hours, shift):
    """The plan's load per machine; refuses plans that break the shift length."""
    load = plan.T @ hours
    excess = load - shift
    worst = int(excess.argmax())
    if excess[worst] > 0:
        raise Overload(worst, float(excess[worst]))
    return load
