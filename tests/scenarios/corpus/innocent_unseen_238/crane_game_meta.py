# gradwatch-corpus: kind=none
# claw machine arm: two joints. evolution picks the reflex gains, gradients (through an inner fix-up step) tune the net
import math
import random

import torch

torch.manual_seed(31)
random.seed(31)

GENERATIONS = 12
POP = 3
GRAD_STEPS = 2
HORIZON = 8
INNER_LR = 0.3

hall_of_fame = []
all_scores = []


def new_creature():
    return {
        "w1": (0.4 * torch.randn(6, 16)).requires_grad_(),
        "w2": (0.4 * torch.randn(16, 2)).requires_grad_(),
        "bias": torch.zeros(2, requires_grad=True),
        "gain": random.uniform(0.2, 0.6),
        "score": None,
    }


TRAINED = ("w1", "w2", "bias")


def claw(angles):
    a = angles[:, 0]
    b = a + angles[:, 1]
    return torch.stack([torch.cos(a) + 0.8 * torch.cos(b), torch.sin(a) + 0.8 * torch.sin(b)], 1)


def swing(creature, bias, prize, start):
    angles = start
    cost = 0.0
    work = 0.0
    for _ in range(HORIZON):
        tip = claw(angles)
        obs = torch.cat([angles, tip, prize], 1)
        push = torch.tanh(torch.tanh(obs @ creature["w1"]) @ creature["w2"] + bias)
        angles = angles + creature["gain"] * push
        cost = cost + ((claw(angles) - prize) ** 2).sum(1).mean() / HORIZON
        work = work + push.pow(2).mean() / HORIZON
    return cost, work


def prizes(n, centre):
    a = centre + 0.3 * torch.randn(n)
    return torch.stack([1.3 * torch.cos(a), 1.3 * torch.sin(a)], 1)


def meta_step(creature, opt):
    centre = random.uniform(0, math.pi)
    start = 0.3 * torch.randn(8, 2)
    cost, effort = swing(creature, creature["bias"], prizes(8, centre), start)
    g = torch.autograd.grad(cost + 0.01 * effort, creature["bias"], create_graph=True)[0]
    quick = creature["bias"] - INNER_LR * g

    cost2, work = swing(creature, quick, prizes(8, centre), start)
    opt.zero_grad()
    cost2.backward(retain_graph=True)
    size = sum(creature[k].grad.pow(2).sum() for k in TRAINED).sqrt().item()
    (min(0.05, 0.01 * size) * work).backward()
    torch.nn.utils.clip_grad_norm_([creature[k] for k in TRAINED], 1.0)
    opt.step()
    return cost2.item()


def child_of(parent):
    kid = {k: (parent[k].detach() + 0.03 * torch.randn_like(parent[k])).requires_grad_() for k in TRAINED}
    kid["gain"] = min(0.9, max(0.1, parent["gain"] + random.gauss(0, 0.05)))
    kid["score"] = None
    return kid


def museum_copy(creature):
    return {k: (v.detach().clone() if torch.is_tensor(v) else v) for k, v in creature.items()}


population = [new_creature() for _ in range(POP)]
for generation in range(GENERATIONS):
    for creature in population:
        opt = torch.optim.Adam([creature[k] for k in TRAINED], lr=0.02)
        runs = [meta_step(creature, opt) for _ in range(GRAD_STEPS)]
        creature["score"] = sum(runs) / len(runs)
    population.sort(key=lambda c: c["score"])
    best = population[0]
    all_scores.append(best["score"])
    hall_of_fame.append(museum_copy(best))
    hall_of_fame.sort(key=lambda c: c["score"])
    del hall_of_fame[4:]
    population = [best] + [child_of(best) for _ in range(POP - 1)]
    if generation % 3 == 0:
        print("generation", generation, "best %.3f" % all_scores[-1], "gain %.2f" % best["gain"])

print("hall of fame:", [round(c["score"], 3) for c in hall_of_fame])
