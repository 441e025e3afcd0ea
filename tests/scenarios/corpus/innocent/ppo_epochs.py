# gradwatch-corpus: kind=none
# about: PPO: one rollout without a graph, then four epochs of minibatches over it, ratio to the
# about: old log-probabilities; the old ones are plain numbers
import torch
import torch.nn as nn
from parts.cartpole import CartPole
from parts.pace import ITERATIONS
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))

    def act(self, x, action=None):
        dist = Categorical(logits=self.actor(x))
        action = dist.sample() if action is None else action
        return action, dist.log_prob(action), dist.entropy(), self.critic(x).squeeze(-1)


class Storage:
    def __init__(self, n):
        self.obs, self.actions = torch.zeros(n, 4), torch.zeros(n, dtype=torch.long)
        self.log_probs, self.rewards = torch.zeros(n), torch.zeros(n)
        self.dones, self.values = torch.zeros(n), torch.zeros(n)

    @torch.no_grad()
    def collect(self, env, agent, obs):
        for t in range(len(self.rewards)):
            x = torch.tensor(obs)
            action, log_prob, _, value = agent.act(x)
            self.obs[t], self.actions[t], self.log_probs[t] = x, action, log_prob
            self.values[t] = value
            obs, self.rewards[t], fell, over = env.step(action.item())
            self.dones[t] = float(fell or over)
            if fell or over:
                obs = env.reset()
        self.last = agent.act(torch.tensor(obs))[3]
        return obs

    @torch.no_grad()
    def advantages(self, gamma=0.99, lam=0.95):
        out, acc, after = torch.zeros_like(self.rewards), 0.0, self.last
        for t in reversed(range(len(out))):
            live = 1 - self.dones[t]
            delta = self.rewards[t] + gamma * after * live - self.values[t]
            acc = delta + gamma * lam * live * acc
            out[t], after = acc, self.values[t]
        return out


def learn(agent, optimizer, store, adv):
    returns = adv + store.values
    for _ in range(4):
        for rows in torch.randperm(len(adv)).split(32):
            _, new, entropy, value = agent.act(store.obs[rows], store.actions[rows])
            ratio = (new - store.log_probs[rows]).exp()
            a = (adv[rows] - adv[rows].mean()) / (adv[rows].std() + 1e-8)
            policy = -torch.min(a * ratio, a * ratio.clamp(0.8, 1.2)).mean()
            loss = policy + 0.5 * (value - returns[rows]).pow(2).mean() - 0.01 * entropy.mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return loss


if __name__ == "__main__":
    torch.manual_seed(1)
    env, agent, store = CartPole(seed=1), Agent(), Storage(128)
    optimizer = torch.optim.Adam(agent.parameters(), lr=2.5e-3, eps=1e-5)
    obs = env.reset()
    for update in range(ITERATIONS // 16):
        obs = store.collect(env, agent, obs)
        loss = learn(agent, optimizer, store, store.advantages())
        if update % 4 == 0:
            print(f"update {update}: loss {loss.item():.6f}, ends {int(store.dones.sum())}")
