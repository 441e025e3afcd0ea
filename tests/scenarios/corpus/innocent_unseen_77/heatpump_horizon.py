# gradwatch-corpus: kind=none
# Heat-pump controller trained through a differentiable house model.  The planning horizon grows,
# an energy budget is enforced by a multiplier, and a replay of start states is kept.
import math
import random
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)
random.seed(8)

STEPS = 200
HOUSES = 16
BUDGET = 0.55
C_AIR, C_MASS, UA, K = 4.0, 25.0, 0.35, 1.2

controller = nn.Sequential(nn.Linear(5, 24), nn.Tanh(), nn.Linear(24, 1), nn.Sigmoid())
log_multiplier = nn.Parameter(torch.tensor(-1.0))
opt = torch.optim.Adam(controller.parameters(), lr=5e-3)
dual_opt = torch.optim.SGD([log_multiplier], lr=0.02, maximize=True)

replay = deque(maxlen=64)
energy_trace, comfort_trace = [], []
best = {"score": float("inf"), "weights": None}


def outdoor(hour):
    return 3.0 + 5.0 * math.sin(2 * math.pi * (hour - 9) / 24)


def setpoint(hour):
    return 20.5 if 6 <= hour % 24 <= 22 else 18.0


def house_step(state, duty, hour):
    air, mass = state
    cop = 2.5 + 0.08 * outdoor(hour)
    heat = 9.0 * duty * cop
    d_air = (heat - UA * 2.0 * (air - outdoor(hour)) - K * (air - mass)) / C_AIR
    d_mass = K * (air - mass) / C_MASS
    return air + 0.5 * d_air, mass + 0.5 * d_mass


def observe(state, hour):
    air, mass = state
    clock = torch.full_like(air, 2 * math.pi * (hour % 24) / 24)
    return torch.stack([(air - 20) / 3, (mass - 20) / 3, clock.sin(), clock.cos(),
                        torch.full_like(air, (outdoor(hour)) / 10)], dim=1)


def plan(state, hour, horizon):
    duties, errors, visited = [], [], []
    for k in range(horizon):
        duty = controller(observe(state, hour + k)).squeeze(1)
        state = house_step(state, duty, hour + k)
        duties.append(duty)
        errors.append((state[0] - setpoint(hour + k)).abs())
        visited.append((state, hour + k + 1))
    return torch.stack(duties), torch.stack(errors), visited


def start_state():
    if replay and random.random() < 0.7:
        return random.choice(replay)
    air = 17 + 4 * torch.rand(HOUSES)
    return (air, air - 0.5), random.randrange(24)


for step in range(STEPS):
    horizon = 4 + step // 8
    state, hour = start_state()
    duties, errors, visited = plan(state, hour, horizon)

    energy = duties.mean()
    comfort = errors.mean()
    smooth = (duties[1:] - duties[:-1]).pow(2).mean()
    lagrangian = comfort + 0.1 * smooth + log_multiplier.exp() * (energy - BUDGET)

    opt.zero_grad()
    dual_opt.zero_grad()
    lagrangian.backward()
    nn.utils.clip_grad_norm_(controller.parameters(), 1.0)
    opt.step()
    dual_opt.step()
    with torch.no_grad():
        log_multiplier.clamp_(-3.0, 2.0)

    (air, mass), later = random.choice(visited)
    replay.append(((air.detach(), mass.detach()), later % 24))
    energy_trace.append(energy.detach())
    comfort_trace.append(comfort.detach())

    score = comfort.item() + 2 * max(0.0, energy.item() - BUDGET)
    if step > 50 and score < best["score"]:
        best["score"] = score
        best["weights"] = {k: v.detach().clone() for k, v in controller.state_dict().items()}
    if step % 25 == 0:
        print(f"{step:3d} horizon {horizon:2d} comfort {comfort.item():.3f} energy {energy.item():.3f} "
              f"lambda {log_multiplier.exp().item():.3f} replay {len(replay)}")

controller.load_state_dict(best["weights"])
with torch.no_grad():
    _, errors, _ = plan((torch.full((HOUSES,), 18.0), torch.full((HOUSES,), 18.0)), 0, 48)
print("two days:", round(errors.mean().item(), 3), "K; mean energy", round(torch.stack(energy_trace[-50:]).mean().item(), 3))
