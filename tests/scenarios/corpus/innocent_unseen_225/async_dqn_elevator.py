# gradwatch-corpus: kind=none
"""Elevator dispatch with a small DQN: an actor coroutine, a learner coroutine, a replay memory."""
import asyncio
import copy
import random
from collections import deque, namedtuple

import torch
from torch import nn

Transition = namedtuple("Transition", "obs action reward next_obs q_taken")


class Shaft:
    floors = 8

    def __init__(self, rng):
        self.rng = rng
        self.car = 0
        self.call = rng.randrange(self.floors)

    def observe(self):
        obs = torch.zeros(2 * self.floors)
        obs[self.car] = 1.0
        obs[self.floors + self.call] = 1.0
        return obs

    def step(self, action):
        self.car = min(max(self.car + action - 1, 0), self.floors - 1)
        reward = -0.1 * abs(self.car - self.call)
        if self.car == self.call:
            reward = 1.0
            self.call = self.rng.randrange(self.floors)
        return reward


class QNet(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(n_obs, 48), nn.ReLU())
        self.value = nn.Linear(48, 1)
        self.adv = nn.Linear(48, n_act)

    def forward(self, obs):
        h = self.shared(obs)
        a = self.adv(h)
        return self.value(h) + a - a.mean(-1, keepdim=True)


async def actor(env, net, rng, out, n):
    for i in range(n):
        obs = env.observe()
        with torch.no_grad():
            q = net(obs)
        eps = max(0.1, 1.0 - i / 400)
        action = rng.randrange(3) if rng.random() < eps else int(q.argmax())
        reward = env.step(action)
        await out.put(Transition(obs, action, reward, env.observe(), q[action]))
    await out.put(None)


async def learner(net, inbox, rng, gamma):
    memory = deque(maxlen=300)
    target = copy.deepcopy(net).requires_grad_(False)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    td_errors = deque(maxlen=30)
    updates = 0
    while (t := await inbox.get()) is not None:
        memory.append(t)
        if len(memory) < 64 or len(memory) % 2:
            continue
        batch = Transition(*zip(*rng.sample(list(memory), 32)))
        action = torch.tensor(batch.action)[:, None]
        reward = torch.tensor(batch.reward)
        q = net(torch.stack(batch.obs)).gather(1, action).squeeze(1)
        bootstrap = target(torch.stack(batch.next_obs)).amax(1)
        td = q - (reward + gamma * bootstrap)
        opt.zero_grad()
        nn.functional.smooth_l1_loss(td, torch.zeros_like(td)).backward()
        opt.step()
        td_errors.append(td.detach().abs().mean())
        drift = (q.detach() - torch.stack(batch.q_taken)).abs().mean().item()
        updates += 1
        if updates % 25 == 0:
            target.load_state_dict(net.state_dict())
        if updates % 40 == 0:
            mean_td = torch.stack(tuple(td_errors)).mean().item()
            print(f"update {updates} |td| {mean_td:.4f} drift {drift:.3f}")
    return updates


async def main():
    torch.manual_seed(9)
    rng = random.Random(9)
    env = Shaft(rng)
    net = QNet(16, 3)
    channel = asyncio.Queue(maxsize=8)
    play = asyncio.create_task(actor(env, net, rng, channel, 400))
    updates = await learner(net, channel, rng, gamma=0.9)
    await play
    print("updates", updates)


if __name__ == "__main__":
    asyncio.run(main())
