# gradwatch-corpus: kind=none
"""Planning for a one-joint arm with a learned model; plans are warm-started from the last one."""
import torch
from torch import nn

from controller import Planner
from plant import Arm, Experience


class Dynamics(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 2))

    def forward(self, state, torque):
        return state + 0.1 * self.net(torch.cat([state, torque], dim=-1))


class Learner:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)

    def update(self, planner, observed, experience):
        foreseen = planner.rollout[0]
        surprise = (foreseen - observed).pow(2).sum()
        jerk = torch.stack(planner.rollout).diff(dim=0).pow(2).mean()
        loss = 0.1 * surprise + 1e-3 * jerk
        if len(experience) >= 8:
            before, torque, after = experience.window(16)
            loss = loss + (self.model(before, torque) - after).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return surprise.item()


def main(steps=220):
    torch.set_num_threads(1)
    torch.manual_seed(3)
    arm, experience = Arm(), Experience(capacity=120)
    model = Dynamics()
    planner = Planner(model, horizon=6)
    learner = Learner(model)
    state, surprise = arm.reset(), 0.0
    for step in range(steps):
        torque = planner.plan(state, goal=arm.goal)
        after = arm.move(torque)
        experience.add(state, torque, after)
        surprise = 0.9 * surprise + 0.1 * learner.update(planner, after, experience)
        state = after
        if step % 40 == 39:
            print(f"step {step + 1} angle {state[0]:+.2f} goal {arm.goal:+.2f} surprise {surprise:.4f}")
            arm.new_goal()
            planner.cold_start()


if __name__ == "__main__":
    main()
