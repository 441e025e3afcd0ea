# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""Delayed-policy actor-critic for a tiny pursuit game on a torus."""
import collections

import torch
from torch import nn

Transition = collections.namedtuple("Transition", "obs action reward nxt")

MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0], [0, 0]])


class PursuitBatch:
    """Many hunter/prey games stepped side by side."""

    def __init__(self, games, size):
        self.size = size
        self.hunter = torch.randint(0, size, (games, 2))
        self.prey = torch.randint(0, size, (games, 2))

    def observe(self):
        delta = (self.prey - self.hunter).float() * (2 * torch.pi / self.size)
        return torch.cat([delta.sin(), delta.cos()], dim=1)

    def step(self, action):
        self.hunter = (self.hunter + MOVES[action]) % self.size
        flee = MOVES[torch.randint(0, 5, (len(self.prey),))]
        self.prey = (self.prey + flee) % self.size
        gap = (self.prey - self.hunter).abs()
        gap = torch.minimum(gap, self.size - gap).sum(dim=1).float()
        return 1.0 - gap / self.size


class SharedTorso(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.torso = nn.Sequential(
            nn.Linear(4, width),
            nn.Tanh(),
            nn.Linear(width, width),
            nn.Tanh(),
        )
        self.policy = nn.Linear(width, 5)
        self.value = nn.Linear(width, 1)

    def forward(self, obs):
        h = self.torso(obs)
        dist = torch.distributions.Categorical(logits=self.policy(h))
        return dist, self.value(h).squeeze(1)


class DelayedActorCritic:
    def __init__(self, net, gamma=0.9, delay=2):
        self.net = net
        self.gamma = gamma
        self.delay = delay
        critic = list(net.torso.parameters()) + list(net.value.parameters())
        actor = list(net.torso.parameters()) + list(net.policy.parameters())
        self.critic_opt = torch.optim.Adam(critic, lr=1e-3)
        self.actor_opt = torch.optim.Adam(actor, lr=5e-4)

    def update(self, step, tr):
        dist, value = self.net(tr.obs)
        with torch.no_grad():
            bootstrap = self.net(tr.nxt)[1]
        advantage = tr.reward + self.gamma * bootstrap - value
        move_actor = (step + 1) % self.delay == 0
        critic_loss = advantage.pow(2).mean()
        self.critic_opt.zero_grad()
        critic_loss.backward(retain_graph=move_actor)
        self.critic_opt.step()  # <- culprit
        if move_actor:
            gain = dist.log_prob(tr.action) * advantage.detach()
            actor_loss = -gain.mean() - 0.01 * dist.entropy().mean()  # <- culprit
            self.actor_opt.zero_grad()
            actor_loss.backward()  # <- culprit
            self.actor_opt.step()
        return critic_loss.item()


def main():
    torch.manual_seed(6)
    env = PursuitBatch(games=128, size=9)
    agent = DelayedActorCritic(SharedTorso())
    for step in range(120):
        obs = env.observe()
        with torch.no_grad():
            action = agent.net(obs)[0].sample()
        reward = env.step(action)
        loss = agent.update(step, Transition(obs, action, reward, env.observe()))
        print(f"{step:3d} reward {reward.mean():.3f} td {loss:.4f}")


if __name__ == "__main__":
    main()
