# gradwatch-corpus: kind=second-backward
# holder: value
# first-bad: 1
# Home battery: when to charge, when to sell. Actor-critic, one update per hour.
import math

import torch
import torch.nn as nn

torch.manual_seed(6)

HOURS = 150
CAPACITY = 5
GAMMA = 0.95


def price(hour):
    base = 0.25 + 0.1 * math.sin(2 * math.pi * (hour - 8) / 24)
    return base + 0.02 * torch.randn(1).item()


def features(hour, charge, p):
    return torch.tensor([
        math.sin(2 * math.pi * hour / 24),
        math.cos(2 * math.pi * hour / 24),
        charge / CAPACITY,
        p * 4,
    ])


def apply_action(charge, action, p):
    if action == 0 and charge < CAPACITY:
        return charge + 1, -p
    if action == 2 and charge > 0:
        return charge - 1, p
    return charge, 0.0


critic = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 1))
actor = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 3))
opt = torch.optim.SGD(list(critic.parameters()) + list(actor.parameters()), lr=1e-2)

charge = 2
p = price(0)
state = features(0, charge, p)
value = critic(state)
earned = 0.0

for hour in range(1, HOURS):
    logits = actor(state)
    policy = torch.distributions.Categorical(logits=logits)
    action = policy.sample()
    charge, reward = apply_action(charge, int(action), p)
    earned += reward

    p = price(hour)
    state = features(hour, charge, p)
    next_value = critic(state)

    td_error = reward + GAMMA * next_value - value
    critic_loss = td_error.pow(2).mean()
    actor_loss = -(policy.log_prob(action) * td_error.detach()).mean()
    loss = critic_loss + actor_loss

    opt.zero_grad()
    loss.backward()
    opt.step()

    # saves one forward of the critic
    value = next_value  # <- culprit

    if hour % 24 == 0:
        print("day", hour // 24, "earned", round(earned, 3), "td", td_error.item())

print("total", earned)
