# gradwatch-corpus: kind=graph-chain
# holder: u | u.grad_fn
# first-bad: 1
"""Trajectory optimisation for the three-joint planar arm from the lab course, gradient descent with
heavy-ball momentum on the joint velocities (section 3.3 of my thesis)."""
import math

import torch

torch.manual_seed(5)
torch.set_default_dtype(torch.float64)

T = 40                 # knots
DT = 0.05
LINKS = torch.tensor([0.5, 0.4, 0.25])
START = torch.tensor([0.3, 0.4, 0.2])
GOAL = torch.tensor([0.35, 0.75])
OBSTACLES = [(0.85, 0.55, 0.10), (0.60, 0.20, 0.08)]

ITERS = 300
STEP = 0.02
MOMENTUM = 0.9
DECAY_AT = 200


def joint_path(u):
    """Integrates the joint velocities, (T, 3) -> (T, 3)."""
    return START + DT * torch.cumsum(u, 0)


def forward_kinematics(q):
    angle = torch.cumsum(q, -1)
    x = torch.cumsum(LINKS * torch.cos(angle), -1)
    y = torch.cumsum(LINKS * torch.sin(angle), -1)
    return torch.stack([x, y], -1)     # (T, joint, 2)


def goal_cost(points):
    return 40.0 * (points[-1, -1] - GOAL).pow(2).sum()


def obstacle_cost(points):
    cost = points.new_zeros(())
    for ox, oy, r in OBSTACLES:
        d = (points - torch.tensor([ox, oy])).norm(dim=-1)
        cost = cost + torch.nn.functional.softplus((r + 0.05 - d) * 40).sum() / 40
    return 0.5 * cost


def effort_cost(u):
    return 0.02 * u.pow(2).sum() * DT + 0.05 * (u[1:] - u[:-1]).pow(2).sum()


def limit_cost(q):
    over = (q.abs() - 0.9 * math.pi).clamp(min=0)
    return 10.0 * over.pow(2).sum()


def total_cost(u):
    q = joint_path(u)
    points = forward_kinematics(q)
    terms = {
        "goal": goal_cost(points),
        "obstacle": obstacle_cost(points),
        "effort": effort_cost(u),
        "limits": limit_cost(q),
    }
    return sum(terms.values()), {k: v.item() for k, v in terms.items()}


def heavy_ball(u, velocity, lr):
    grad = u.grad
    norm = grad.norm().item()
    if norm > 5.0:
        grad = grad * (5.0 / norm)
    velocity = MOMENTUM * velocity + grad
    u = u - lr * velocity  # <- culprit
    u.retain_grad()
    return u, velocity, norm


u = 0.01 * torch.randn(T, 3)
u.requires_grad_(True)
velocity = torch.zeros(T, 3)
costs = []

for it in range(ITERS):
    cost, terms = total_cost(u)
    cost.backward()

    lr = STEP if it < DECAY_AT else 0.3 * STEP
    u, velocity, gnorm = heavy_ball(u, velocity, lr)  # <- culprit
    costs.append(cost.item())

    if it % 60 == 0:
        parts = "  ".join(f"{k} {v:.3f}" for k, v in terms.items())
        print(f"{it:4d}  cost {costs[-1]:8.4f}  |g| {gnorm:.3f}  {parts}")

with torch.no_grad():
    tip = forward_kinematics(joint_path(u))[-1, -1]
print("final tip position", [round(v, 3) for v in tip.tolist()], "goal", GOAL.tolist())
print("cost went from", round(costs[0], 3), "to", round(costs[-1], 3))
