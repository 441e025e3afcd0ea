# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
"""System identification: fit damping and length of a pendulum through a differentiable integrator."""
import math
import torch

torch.set_num_threads(1)


def integrator(fn):
    fn.is_integrator = True
    return fn


class Pendulum(torch.nn.Module):
    def __init__(self, length=1.0, damping=0.1):
        super().__init__()
        self.log_l = torch.nn.Parameter(torch.tensor(math.log(length)))
        self.log_c = torch.nn.Parameter(torch.tensor(math.log(damping)))

    def acc(self, q, v):
        return -9.81 / self.log_l.exp() * torch.sin(q) - self.log_c.exp() * v


@integrator
@torch.no_grad()  # <- culprit
def rollout(system, q, v, steps, dt=0.02):
    path = []
    for _ in range(steps):
        v = v + dt * system.acc(q, v)
        q = q + dt * v
        path.append(q)
    return torch.stack(path)


def main():
    torch.manual_seed(1)
    real = Pendulum(0.8, 0.25)
    q0, v0 = torch.rand(6) - 0.5, torch.zeros(6)
    measured = rollout(real, q0, v0, 40) + 0.005 * torch.randn(40, 6)
    guess = Pendulum()
    opt = torch.optim.Adam(guess.parameters(), lr=0.02)
    for it in range(200):
        err = (rollout(guess, q0, v0, 40) - measured).pow(2).mean()
        opt.zero_grad()
        err.backward()
        opt.step()
    print(guess.log_l.exp().item(), guess.log_c.exp().item())


main()
