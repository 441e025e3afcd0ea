# gradwatch-corpus: kind=graph-chain
# holder: flock | flock["vel"] | flock["pos"]
# first-bad: 1
# Train a steering behaviour for bats that chase the lantern. Runs headless, one tick a frame.
import math

import torch
import torch.nn as nn

DT = 1.0 / 30.0
BATS = 48
FRAMES = 110


class Steering(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.sense = nn.Linear(8, width)
        self.act = nn.Linear(width, 2)

    def forward(self, obs):
        return 4.0 * torch.tanh(self.act(torch.tanh(self.sense(obs))))


def spawn():
    return {
        "pos": 3.0 * torch.randn(BATS, 2),
        "vel": torch.zeros(BATS, 2),
        "stamina": torch.ones(BATS, 1),
    }


def lantern_at(frame):
    t = frame * DT
    return torch.tensor([2.5 * math.cos(t), 1.5 * math.sin(1.7 * t)])


def observe(flock, target):
    to_target = target - flock["pos"]
    centre = flock["pos"].mean(dim=0, keepdim=True) - flock["pos"]
    extra = torch.cat([flock["stamina"], torch.ones(BATS, 1)], dim=1)
    return torch.cat([to_target, centre, flock["vel"], extra], dim=1)


def tick(flock, thrust):
    drag = 0.9
    vel = drag * flock["vel"] + DT * thrust
    pos = flock["pos"] + DT * vel
    effort = thrust.detach().norm(dim=1, keepdim=True)
    stamina = (flock["stamina"] - 0.01 * effort + 0.02).clamp(0.0, 1.0)
    return {"pos": pos, "vel": vel, "stamina": stamina}


def score_frame(flock, target):
    chase = (flock["pos"] - target).pow(2).sum(dim=1).sqrt().mean()
    jitter = flock["vel"].pow(2).mean()
    return chase + 0.05 * jitter


def apply_grads(policy, lr, cap=1.0):
    for p in policy.parameters():
        g = p.grad
        norm = g.norm()
        if norm > cap:
            g = g * (cap / norm)
        p.data = p.data - lr * g
        p.grad = None


def run():
    torch.manual_seed(77)
    policy = Steering()
    flock = spawn()
    for frame in range(FRAMES):
        target = lantern_at(frame)
        thrust = policy(observe(flock, target))
        flock = tick(flock, thrust)  # <- culprit
        cost = score_frame(flock, target)
        cost.backward(retain_graph=True)  # <- culprit
        apply_grads(policy, lr=0.02)
        if frame % 30 == 0:
            spread = flock["pos"].detach().std(dim=0).mean().item()
            print("frame", frame, "cost", round(cost.item(), 3), "spread", round(spread, 3))
    print("final stamina", round(flock["stamina"].mean().item(), 3))


run()
