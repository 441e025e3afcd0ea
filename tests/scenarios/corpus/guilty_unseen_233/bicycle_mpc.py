# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Learn a steering policy through a kinematic bicycle model (differentiable rollout)."""
import torch
import torch.nn as nn

L_WHEELBASE = 2.5
DT = 0.1
HORIZON = 15
BATCH = 16


class PolicyNet(nn.Module):
    def __init__(self, n_in=4, n_hidden=32):
        super().__init__()
        self.l1 = nn.Linear(n_in, n_hidden)
        self.l2 = nn.Linear(n_hidden, 2)

    def forward(self, s):
        x = torch.tanh(self.l1(s))
        u = torch.tanh(self.l2(x))
        accel = 2.0 * u[:, 0]
        steer = 0.5 * u[:, 1]
        return accel, steer


def initial_states(n):
    s = torch.zeros(n, 4)
    s[:, 1] = torch.empty(n).uniform_(-2, 2)
    s[:, 2] = torch.empty(n).uniform_(-0.3, 0.3)
    s[:, 3] = torch.empty(n).uniform_(3, 6)
    return s


def bicycle_step(state, accel, steer):
    # state: [x, y, heading, v]
    v = state[:, 3]
    theta = state[:, 2]
    dx = v * torch.cos(theta)
    dy = v * torch.sin(theta)
    dtheta = v * torch.tan(steer) / L_WHEELBASE
    state[:, 0] += DT * dx  # <- culprit
    state[:, 1] += DT * dy  # <- culprit
    state[:, 2] += DT * dtheta  # <- culprit
    state[:, 3] += DT * accel  # <- culprit
    return state


def stage_cost(state, accel, steer, v_ref=5.0):
    lateral = state[:, 1].pow(2)
    heading = state[:, 2].pow(2)
    speed = (state[:, 3] - v_ref).pow(2)
    effort = 0.05 * accel.pow(2) + 0.1 * steer.pow(2)
    return (lateral + 0.5 * heading + 0.1 * speed + effort).mean()


def rollout(policy, state):
    J = 0.0
    for t in range(HORIZON):
        accel, steer = policy(state)
        state = bicycle_step(state, accel, steer)  # <- culprit
        J = J + stage_cost(state, accel, steer)
    return J / HORIZON, state


def main():
    torch.manual_seed(6)
    policy = PolicyNet()
    optim = torch.optim.Adam(policy.parameters(), lr=5e-3)
    for epoch in range(60):
        state = initial_states(BATCH)
        J, final = rollout(policy, state)
        optim.zero_grad()
        J.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 5.0)
        optim.step()
        if epoch % 10 == 0:
            print("epoch", epoch, "J", round(J.item(), 4), "lat", round(final[:, 1].abs().mean().item(), 3))


if __name__ == "__main__":
    main()
