# gradwatch-corpus: kind=none
"""A drone learns to hover: actor and critic from a bounded memory of flights."""
import copy
import random
from collections import deque
from dataclasses import dataclass, fields

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Moment:
    state: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    after: torch.Tensor

    def __post_init__(self):
        for f in fields(self):
            setattr(self, f.name, getattr(self, f.name).detach())


class FlightMemory:
    def __init__(self, room):
        self._items = deque(maxlen=room)

    def __len__(self):
        return len(self._items)

    def note(self, *parts):
        self._items.append(Moment(*parts))

    def draw(self, n):
        chosen = random.sample(self._items, n)
        return [torch.cat([getattr(m, f.name) for m in chosen]) for f in fields(Moment)]


def mlp(n_in, n_out, last=nn.Identity):
    return nn.Sequential(nn.Linear(n_in, 40), nn.ReLU(), nn.Linear(40, n_out), last())


class Follower:
    """A slow copy of a network."""

    def __init__(self, net, rate):
        self.source, self.rate = net, rate
        self.net = copy.deepcopy(net).requires_grad_(False)

    def update(self):
        for slow, fast in zip(self.net.parameters(), self.source.parameters()):
            slow.lerp_(fast.detach(), self.rate)

    def __call__(self, *args):
        return self.net(torch.cat(args, 1))


class Air:
    def __init__(self, drones):
        self.state = torch.randn(drones, 2)

    def push(self, thrust):
        height, speed = self.state.unbind(1)
        speed = 0.95 * speed + 0.1 * (thrust.squeeze(1) + 0.05 * torch.randn(len(height)))
        height = height + 0.1 * speed
        self.state = torch.stack([height, speed], 1).detach().clamp(-3, 3)
        return self.state, -(height.pow(2) + 0.1 * speed.pow(2)).unsqueeze(1)


class Pilot:
    def __init__(self, gamma=0.95):
        self.actor, self.critic = mlp(2, 1, nn.Tanh), mlp(3, 1)
        self.slow_actor, self.slow_critic = Follower(self.actor, 0.05), Follower(self.critic, 0.05)
        self.gamma = gamma
        self.opts = {n: torch.optim.Adam(n.parameters(), lr=3e-3) for n in (self.actor, self.critic)}

    @torch.no_grad()
    def act(self, state, noise):
        action = self.actor(state)
        return (action + noise * torch.randn_like(action)).clamp(-1, 1)

    def _apply(self, net, loss):
        self.opts[net].zero_grad()
        loss.backward()
        self.opts[net].step()
        return loss.item()

    def learn(self, state, action, reward, after):
        goal = reward + self.gamma * self.slow_critic(after, self.slow_actor(after))
        value = self.critic(torch.cat([state, action], 1))
        td = self._apply(self.critic, F.mse_loss(value, goal))
        self.critic.requires_grad_(False)
        gain = self.critic(torch.cat([state, self.actor(state)], 1)).mean()
        self._apply(self.actor, -gain)
        self.critic.requires_grad_(True)
        self.slow_actor.update()
        self.slow_critic.update()
        return td


def main():
    torch.manual_seed(7)
    random.seed(7)
    air, memory, pilot = Air(drones=8), FlightMemory(room=40), Pilot()
    for tick in range(130):
        before = air.state
        action = pilot.act(before, noise=0.3)
        after, reward = air.push(action)
        memory.note(before, action, reward, after)
        if len(memory) >= 12:
            td = pilot.learn(*memory.draw(8))
            if tick % 20 == 0:
                print(f"tick {tick:3d} td {td:.4f} reward {reward.mean().item():.3f} memory {len(memory)}")


if __name__ == "__main__":
    main()
