# gradwatch-corpus: kind=none
"""Actor-critic on a little balancing task. The critic learns on every tick, the actor once an episode is over."""
import math

import torch
import torch.nn as nn


class Balance:
    def __init__(self, limit):
        self.limit = limit

    def reset(self):
        self.angle = 0.1 * float(torch.randn(()))
        self.speed = 0.0
        self.tick = 0
        return self.obs()

    def obs(self):
        return torch.tensor([math.sin(self.angle), math.cos(self.angle), self.speed])

    def act(self, push):
        self.speed += 0.05 * (3.0 * math.sin(self.angle) + push) + 0.02 * float(torch.randn(()))
        self.angle += 0.1 * self.speed
        self.tick += 1
        fell = abs(self.angle) > 0.9
        return self.obs(), 1.0 - abs(self.angle), fell or self.tick >= self.limit


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 3))

    def forward(self, obs):
        return torch.distributions.Categorical(logits=self.net(obs))


PUSH = (-3.0, 0.0, 3.0)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    env = Balance(limit=50)
    actor = Actor()
    critic = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 1))
    a_opt = torch.optim.Adam(actor.parameters(), lr=4e-3)
    c_opt = torch.optim.Adam(critic.parameters(), lr=5e-3)
    gamma, beta = 0.95, 0.01

    ticks, episodes, lengths = 0, 0, []
    while ticks < 900:
        obs = env.reset()
        actor_sum = torch.zeros(())
        entropy_sum = torch.zeros(())
        over = False
        discount = 1.0
        length = 0
        while not over:
            dist = actor(obs)
            choice = dist.sample()
            nxt, reward, over = env.act(PUSH[int(choice)])

            value = critic(obs).squeeze()
            with torch.no_grad():
                goal = reward + (0.0 if over else gamma * critic(nxt).squeeze())
            td = goal - value
            c_opt.zero_grad()
            td.square().backward()
            c_opt.step()

            actor_sum = actor_sum - discount * dist.log_prob(choice) * td.detach()
            entropy_sum = entropy_sum + dist.entropy()
            discount *= 0.99
            obs = nxt
            ticks += 1
            length += 1

        a_opt.zero_grad()
        (actor_sum / length - beta * entropy_sum / length).backward()
        a_opt.step()
        lengths.append(length)
        episodes += 1
        if episodes % 8 == 0:
            last = lengths[-8:]
            print(f"episode {episodes}: mean length {sum(last) / len(last):.1f} after {ticks} ticks")


if __name__ == "__main__":
    main()
