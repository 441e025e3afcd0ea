# gradwatch-corpus: kind=none
"""Online policy gradient with n-step delayed credit on a drifting contextual bandit walk."""
from collections import deque, namedtuple

import torch
from torch import nn

Step = namedtuple("Step", "log_prob entropy obs")
N, GAMMA = 6, 0.9


class Walk:
    def __init__(self, seed, dim=8, actions=4):
        self.gen = torch.Generator().manual_seed(seed)
        self.goal = torch.randn(actions, dim, generator=self.gen)
        self.pull = 0.3 * torch.randn(actions, dim, generator=self.gen)
        self.state = torch.randn(dim, generator=self.gen)

    def act(self, a):
        reward = torch.tanh(self.goal[a] @ self.state / 3).item()
        noise = torch.randn(self.state.shape, generator=self.gen)
        self.state = 0.8 * self.state + self.pull[a] + 0.4 * noise
        return self.state, reward


class OnlineActor:
    def __init__(self, dim, actions):
        self.policy = nn.Linear(dim, actions)
        self.value = nn.Linear(dim, 1)
        self.opt = torch.optim.SGD([*self.policy.parameters(), *self.value.parameters()], lr=0.02)
        self.pending = deque()
        self.rewards = deque()

    def choose(self, obs):
        dist = torch.distributions.Categorical(logits=self.policy(obs))
        a = dist.sample()
        self.pending.append(Step(dist.log_prob(a), dist.entropy(), obs))
        return a.item()

    def learn(self, reward, obs):
        self.rewards.append(reward)
        if len(self.rewards) < N:
            return None
        ret = sum(GAMMA ** k * r for k, r in enumerate(self.rewards))
        with torch.no_grad():
            ret = ret + GAMMA ** N * self.value(obs)
        step = self.pending.popleft()
        self.rewards.popleft()
        baseline = self.value(step.obs)
        adv = ret - baseline
        loss = (-step.log_prob * adv.detach() + 0.5 * adv.square() - 0.01 * step.entropy).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(13)
    world = Walk(14)
    actor = OnlineActor(8, 4)
    obs = world.state
    gains, losses = [], []
    for t in range(3000):
        obs, reward = world.act(actor.choose(obs))
        loss = actor.learn(reward, obs)
        gains.append(reward)
        if loss is not None:
            losses.append(loss)
        if t % 500 == 499:
            print(t + 1, sum(gains[-500:]) / 500, len(actor.pending), losses[-1])


if __name__ == "__main__":
    main()
