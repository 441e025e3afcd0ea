import torch
from torch import nn


class Rollout:
    """Everything of the current n steps, with its graph, for the two losses."""

    def __init__(self):
        self.clear()

    def clear(self):
        self.logp, self.values, self.entropy = [], [], []
        self.rewards, self.alive = [], []


class RecurrentA2C:
    def __init__(self, obs_dim, actions, hidden, args):
        self.cell = nn.GRUCell(obs_dim, hidden)
        self.pi = nn.Linear(hidden, actions)
        self.v = nn.Linear(hidden, 1)
        self.gamma = args.gamma
        self.h = torch.zeros(args.envs, hidden)
        self.rollout = Rollout()
        params = [*self.cell.parameters(), *self.pi.parameters(), *self.v.parameters()]
        self.params = params
        self.opt = torch.optim.RMSprop(params, lr=args.lr)
        self.last_entropy = 0.0

    def act(self, obs):
        self.h = self.cell(obs, self.h)
        dist = torch.distributions.Categorical(logits=self.pi(self.h))
        a = dist.sample()
        self.rollout.logp.append(dist.log_prob(a))
        self.rollout.entropy.append(dist.entropy())
        self.rollout.values.append(self.v(self.h).squeeze(1))
        return a

    def record(self, reward, done):
        self.rollout.rewards.append(reward)
        self.rollout.alive.append(1.0 - done)
        self.h = self.h * (1.0 - done).unsqueeze(1)

    @torch.no_grad()
    def bootstrap(self, obs):
        return self.v(self.cell(obs, self.h)).squeeze(1)

    def update(self, last_obs):
        ret = self.bootstrap(last_obs)
        returns = []
        for r, m in zip(reversed(self.rollout.rewards), reversed(self.rollout.alive)):
            ret = r + self.gamma * m * ret
            returns.append(ret)
        returns = torch.stack(returns[::-1])
        values = torch.stack(self.rollout.values)
        adv = returns - values
        entropy = torch.stack(self.rollout.entropy).mean()
        actor = -(torch.stack(self.rollout.logp) * adv.detach()).mean() - 0.02 * entropy
        critic = 0.5 * adv.pow(2).mean()

        self.opt.zero_grad()
        actor.backward(retain_graph=True)
        critic.backward()
        nn.utils.clip_grad_norm_(self.params, 0.5)
        self.opt.step()

        self.last_entropy = entropy.item()
        self.h = self.h.detach()
        self.rollout.clear()
