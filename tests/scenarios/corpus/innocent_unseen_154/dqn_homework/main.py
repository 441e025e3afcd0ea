# gradwatch-corpus: kind=none
# Homework 3, deep Q-learning (policy net / target net with soft update).
import math
import random

import torch
import torch.nn as nn

from env import GridWorld
from memory import ReplayMemory

torch.set_num_threads(1)
torch.manual_seed(0)
random.seed(0)

BATCH_SIZE, GAMMA, TAU, LR = 32, 0.95, 0.02, 2e-3
EPS_START, EPS_END, EPS_DECAY = 0.9, 0.05, 200


def qnet():
    return nn.Sequential(nn.Linear(2, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 4))


policy_net, target_net = qnet(), qnet()
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.AdamW(policy_net.parameters(), lr=LR, amsgrad=True)
memory = ReplayMemory(500)
env = GridWorld()
steps_done = 0


def select_action(state):
    global steps_done
    eps = EPS_END + (EPS_START - EPS_END) * math.exp(-steps_done / EPS_DECAY)
    steps_done += 1
    if random.random() > eps:
        with torch.no_grad():
            return policy_net(state).max(1).indices.view(1, 1)
    return torch.tensor([[random.randrange(4)]])


def optimize_model():
    if len(memory) < BATCH_SIZE:
        return None
    state, action, mask, nxt, reward = memory.sample(BATCH_SIZE)
    q = policy_net(state).gather(1, action)
    v = torch.zeros(BATCH_SIZE)
    with torch.no_grad():
        v[mask] = target_net(nxt).max(1).values
    loss = nn.SmoothL1Loss()(q, (v * GAMMA + reward).unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    return loss.item()


durations, losses = [], []
for episode in range(40):
    state = torch.tensor([env.reset()])
    while True:
        action = select_action(state)
        obs, r, term, trunc = env.step(action.item())
        nxt = None if term else torch.tensor([obs])
        memory.push(state, action, nxt, torch.tensor([r]))
        state = nxt
        l = optimize_model()
        if l is not None:
            losses.append(l)
        tsd, psd = target_net.state_dict(), policy_net.state_dict()
        for key in psd:
            tsd[key] = psd[key] * TAU + tsd[key] * (1 - TAU)
        target_net.load_state_dict(tsd)
        if term or trunc:
            durations.append(env.t)
            break
print("mean duration, last 10:", sum(durations[-10:]) / 10, "updates:", len(losses))
