# gradwatch-corpus: kind=graph-held
# holder: p.grad | learner.parameters() grad | learner[0].weight.grad | learner.grad
# first-bad: 1
# notice: 8
"""Initialisation that adapts fast to new antenna geometries, with a flatness term."""
import copy
import warnings

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(300)
warnings.filterwarnings("ignore")


def geometry(n=20):
    amp, tilt = torch.rand(2) * 2
    angle = torch.rand(n, 1) * 6.28 - 3.14
    gain = amp * torch.cos(angle + tilt)
    return angle, gain


def adapt(shared, angle, gain, weight=0.02):
    learner = copy.deepcopy(shared)
    fit = (learner(angle) - gain).square().mean()
    fit.backward(create_graph=True)  # <- culprit
    slope = [p.grad for p in learner.parameters()]
    steepness = sum(s.square().sum() for s in slope)
    bend = torch.autograd.grad(steepness, list(learner.parameters()), allow_unused=True)
    moves = []
    for s, b in zip(slope, bend):
        step = s.detach().clone()
        if b is not None:
            step += weight * b
        moves.append(step)
    return moves, fit.item()


shared = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
meta = torch.optim.SGD(shared.parameters(), lr=0.02)
recent = []
for task in range(350):
    moves, fit = adapt(shared, *geometry())
    for p, move in zip(shared.parameters(), moves):
        p.grad = move
    nn.utils.clip_grad_norm_(shared.parameters(), 2.0)
    meta.step()
    recent = (recent + [fit])[-50:]
    if task % 70 == 69:
        print("after", task + 1, "geometries: fit", round(sum(recent) / len(recent), 4))
