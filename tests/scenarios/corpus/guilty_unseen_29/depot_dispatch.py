# gradwatch-corpus: kind=graph-chain
# holder: self.memory | agent.memory
# first-bad: 1
import torch
from torch import nn
from torch.distributions import Categorical


class Depot(object):
    '''Three trucks, parcels arrive; reward is minus the waiting time.'''

    def __init__(self, trucks=3, seed=0):
        self.trucks = trucks
        self.g = torch.Generator().manual_seed(seed)

    def reset(self):
        self.queue = torch.rand(self.trucks, generator=self.g)
        return self._obs()

    def _obs(self):
        self.size = torch.rand(1, generator=self.g)
        return torch.cat([self.queue, self.size])

    def step(self, truck):
        wait = self.queue[truck].item()
        self.queue[truck] += self.size.item()
        self.queue = (self.queue - 0.2).clamp(min=0)
        return self._obs(), -wait


class DispatchAgent(nn.Module):
    def __init__(self, n_obs, n_act, gamma=0.95):
        super().__init__()
        self.score = nn.Linear(n_obs, n_act)
        self.gamma = gamma
        self.memory = []

    def act(self, obs):
        dist = Categorical(logits=self.score(obs))
        a = dist.sample()
        return a.item(), dist.log_prob(a)

    def finish_episode(self, log_probs, rewards):
        returns, acc = [], 0.0
        for r in reversed(rewards):
            acc = r + self.gamma * acc
            returns.insert(0, acc)
        self.memory += list(zip(log_probs, returns))  # <- culprit

    def loss(self):
        log_probs, returns = zip(*self.memory)
        ret = torch.tensor(returns)
        adv = (ret - ret.mean()) / (ret.std() + 1e-6)
        return -(torch.stack(log_probs) * adv).mean()


def play(env, agent, length):
    log_probs, rewards = [], []
    obs = env.reset()
    for _ in range(length):
        a, lp = agent.act(obs)
        obs, r = env.step(a)
        log_probs.append(lp)
        rewards.append(r)
    agent.finish_episode(log_probs, rewards)
    return sum(rewards)


def train(episodes=100, length=5):
    torch.manual_seed(2)
    env = Depot()
    agent = DispatchAgent(4, 3)
    opt = torch.optim.RMSprop(agent.parameters(), lr=0.01)
    scores = []
    for ep in range(episodes):
        scores.append(play(env, agent, length))
        loss = agent.loss()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if ep % 20 == 0:
            recent = scores[-20:]
            print('episode', ep, 'mean score', round(sum(recent) / len(recent), 3))


if __name__ == '__main__':
    train()
