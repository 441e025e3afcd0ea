# gradwatch-corpus: kind=graph-chain
# holder: self.values | duals.values | self.values[k]
# first-bad: 1
# notice: 5
"""Direct collocation for a 2-D point mass lander.

Decision variables: positions, velocities and thrusts on a time grid.  The defects
(discretised dynamics) are equality constraints, handled with the method
of multipliers (Nocedal & Wright ch. 17), one multiplier step per Adam step.
"""
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(0)

N = 24
DT = 0.25
G = torch.tensor([0.0, -1.62])
START_P, START_V = torch.tensor([-4.0, 6.0]), torch.tensor([1.0, -0.5])
GOAL_P, GOAL_V = torch.zeros(2), torch.zeros(2)


def init_variables():
    s = torch.linspace(0, 1, N + 1)[:, None]
    pos = (1 - s) * START_P + s * GOAL_P + 0.05 * torch.randn(N + 1, 2)
    vel = (1 - s) * START_V + s * GOAL_V
    thrust = -G.expand(N, 2).clone()
    return [t.clone().requires_grad_(True) for t in (pos, vel, thrust)]


def running_cost(pos, vel, thrust):
    effort = thrust.pow(2).sum() * DT
    ground = torch.relu(-pos[:, 1]).pow(2).sum()
    # a hill between the start and the pad
    hill = torch.exp(-((pos[:, 0] + 2.0) ** 2) / 0.5) * 1.5
    crash = torch.relu(hill - pos[:, 1]).pow(2).sum()
    smooth = (thrust[1:] - thrust[:-1]).pow(2).sum()
    ends = ((pos[0] - START_P).pow(2) + (vel[0] - START_V).pow(2)
            + (pos[-1] - GOAL_P).pow(2) + (vel[-1] - GOAL_V).pow(2)).sum()
    return effort + 20 * (ground + crash + ends) + 0.1 * smooth


def constraints(pos, vel, thrust):
    """Defects of the discretised dynamics; zero at the solution."""
    return {
        "kinematics": torch.sub(pos[1:] - pos[:-1], vel[1:] + vel[:-1], alpha=0.5 * DT),
        "dynamics": torch.sub(vel[1:] - vel[:-1], thrust + G, alpha=DT),
    }


class Multipliers:
    def __init__(self, template, step):
        self.step = step
        self.values = {k: torch.zeros_like(c) for k, c in template.items()}

    def linear_term(self, cons):
        return sum((self.values[k] * c).sum() for k, c in cons.items())

    def ascend(self, cons):
        for k, c in cons.items():
            self.values[k] = torch.add(self.values[k], c, alpha=self.step)  # <- culprit


pos, vel, thrust = init_variables()
with torch.no_grad():
    template = constraints(pos, vel, thrust)
duals = Multipliers(template, step=0.02)
rho = 4.0
optim = torch.optim.Adam([pos, vel, thrust], lr=0.02)
sched = torch.optim.lr_scheduler.LambdaLR(optim, lambda k: 0.5 * (1 + math.cos(math.pi * k / 180)))

for k in range(160):
    optim.zero_grad()
    cons = constraints(pos, vel, thrust)
    cost = running_cost(pos, vel, thrust)
    quad = sum(c.pow(2).sum() for c in cons.values())
    lagrangian = cost + duals.linear_term(cons) + 0.5 * rho * quad
    lagrangian.backward()
    optim.step()
    sched.step()
    duals.ascend(cons)  # <- culprit
    if k % 40 == 0:
        print(f"{k:4d} cost {cost.item():8.3f} infeas {quad.sqrt().item():.4f}")

print("final position", [round(v, 3) for v in pos[-1].tolist()])
print("max thrust", thrust.norm(dim=-1).max().item())
