# gradwatch-corpus: kind=none
"""DQN opening and closing greenhouse vents; uniform replay, target net with soft updates."""
import random
from collections import deque, namedtuple
from itertools import count

import torch
import torch.nn as nn

torch.set_num_threads(1)

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward", "q_at_choice"))


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


class Greenhouse:
    def reset(self):
        self.temp, self.sun, self.t = 20 + 4 * random.random(), random.random(), 0
        return self.obs()

    def obs(self):
        return torch.tensor([[(self.temp - 22) / 5, self.sun, self.t / 12.0]])

    def step(self, vent):
        self.temp += 2.0 * self.sun - (1.5 if vent else 0.2)
        self.sun = min(1.0, max(0.0, self.sun + random.uniform(-0.2, 0.2)))
        self.t += 1
        reward = 1.0 - abs(self.temp - 22) / 5
        return self.obs(), reward, self.t >= 12


def q_net():
    return nn.Sequential(nn.Linear(3, 20), nn.ReLU(), nn.Linear(20, 2))


policy_net, target_net = q_net(), q_net()
memory = ReplayMemory(300)
optimizer = None
GAMMA, TAU, BATCH = 0.95, 0.02, 16


def select_action(state, eps):
    with torch.no_grad():
        q = policy_net(state)
    if random.random() < eps:
        a = torch.tensor([[random.randrange(2)]])
    else:
        a = q.max(1).indices.view(1, 1)
    return a, q.gather(1, a)


def optimize_model():
    if len(memory) < BATCH:
        return None
    batch = Transition(*zip(*memory.sample(BATCH)))
    mask = torch.tensor([s is not None for s in batch.next_state])
    nxt = [s for s in batch.next_state if s is not None]
    q = policy_net(torch.cat(batch.state)).gather(1, torch.cat(batch.action))
    future = torch.zeros(BATCH)
    if nxt:
        with torch.no_grad():
            future[mask] = target_net(torch.cat(nxt)).max(1).values
    expected = torch.cat(batch.reward) + GAMMA * future
    loss = nn.SmoothL1Loss()(q, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()
    drift = (q.detach() - torch.cat(batch.q_at_choice)).abs().mean()
    return drift.item()


def soft_update():
    tgt, src = target_net.state_dict(), policy_net.state_dict()
    for k in src:
        tgt[k] = src[k] * TAU + tgt[k] * (1 - TAU)
    target_net.load_state_dict(tgt)


def main():
    global optimizer
    torch.manual_seed(2)
    random.seed(2)
    target_net.load_state_dict(policy_net.state_dict())
    optimizer = torch.optim.AdamW(policy_net.parameters(), lr=2e-3, amsgrad=True)
    env, eps = Greenhouse(), 1.0
    for episode in range(60):
        state, total, drift = env.reset(), 0.0, None
        for t in count():
            action, q = select_action(state, eps)
            nxt, reward, done = env.step(action.item())
            total += reward
            memory.push(state, action, None if done else nxt, torch.tensor([reward]), q)
            state = nxt
            drift = optimize_model()
            soft_update()
            eps = max(0.05, eps * 0.995)
            if done:
                break
        if episode % 12 == 0:
            print("episode", episode, "return", round(total, 2), "value drift", drift)


main()
