# gradwatch-corpus: kind=inplace-modified
# first-bad: 2
# Kart racing bot: deterministic policy with a critic, actor refreshed every third update.
import torch
from torch import nn
import torch.nn.functional as F


def mlp(sizes, out_act=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers.append(nn.Linear(a, b))
        layers.append(nn.ReLU())
    layers.pop()
    if out_act is not None:
        layers.append(out_act)
    return nn.Sequential(*layers)


class Track:
    """Lateral offset, heading, speed; action is steer and throttle."""

    def sample(self, n):
        return torch.randn(n, 3)

    def step(self, s, a):
        offset = s[:, 0] + 0.2 * s[:, 1] * s[:, 2]
        heading = s[:, 1] + 0.3 * a[:, 0]
        speed = 0.95 * s[:, 2] + 0.2 * a[:, 1]
        nxt = torch.stack([offset, heading, speed], dim=1)
        reward = speed - offset.pow(2) - 0.1 * heading.pow(2)
        return nxt, reward


class KartLearner:
    delay = 3

    def __init__(self):
        self.actor = mlp([3, 32, 2], nn.Tanh())
        self.critic = mlp([5, 48, 48, 1])
        self.target = mlp([5, 48, 48, 1])
        self.target.load_state_dict(self.critic.state_dict())
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.updates = 0

    def q(self, net, s, a):
        return net(torch.cat([s, a], dim=1)).squeeze(1)

    def bellman(self, s2, r, gamma=0.9):
        with torch.no_grad():
            return r + gamma * self.q(self.target, s2, self.actor(s2))

    def update(self, s, a, r, s2):
        self.updates += 1
        refresh = self.updates % self.delay == 0
        critic_loss = F.smooth_l1_loss(self.q(self.critic, s, a), self.bellman(s2, r))
        if refresh:
            actor_loss = -self.q(self.critic, s, self.actor(s)).mean()  # <- culprit

        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()  # <- culprit

        if refresh:
            self.actor_opt.zero_grad()
            actor_loss.backward()
            self.actor_opt.step()
            self.blend()
        return critic_loss.item()

    @torch.no_grad()
    def blend(self, tau=0.05):
        for slow, fast in zip(self.target.parameters(), self.critic.parameters()):
            slow.lerp_(fast, tau)


def main():
    torch.manual_seed(31)
    track = Track()
    learner = KartLearner()
    state = track.sample(64)
    for lap in range(150):
        with torch.no_grad():
            action = (learner.actor(state) + 0.2 * torch.randn(64, 2)).clamp(-1, 1)
        nxt, reward = track.step(state, action)
        loss = learner.update(state, action, reward, nxt)
        crashed = nxt.abs().max(dim=1).values > 4
        state = torch.where(crashed[:, None], track.sample(64), nxt)
        if lap % 50 == 0:
            print(f"lap {lap} critic {loss:.3f} reward {reward.mean().item():.3f}")


main()
