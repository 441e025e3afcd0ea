# gradwatch-corpus: kind=none
"""Vanilla policy gradient in a corridor. Episode buffers live on the agent and are emptied after each update."""
import torch

torch.set_num_threads(1)
from torch import nn
from torch.distributions import Bernoulli


class Corridor:
    LENGTH = 6

    def reset(self):
        self.x, self.t = 0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([self.x / self.LENGTH, float(self.x % 2), 1.0])

    def step(self, right):
        forward = bool(right) != (self.x % 2 == 1)
        self.x = max(0, self.x + (1 if forward else -1))
        self.t += 1
        done = self.x >= self.LENGTH or self.t >= 15
        return self._obs(), (1.0 if self.x >= self.LENGTH else -0.1), done


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
        self.baseline = 0.0
        self.episode = {"logp": [], "rew": [], "ent": []}

    def act(self, obs):
        d = Bernoulli(logits=self.pi(obs).squeeze())
        a = d.sample()
        self.episode["logp"].append(d.log_prob(a))
        self.episode["ent"].append(d.entropy())
        return a

    def loss(self, gamma=0.98):
        g, rets = 0.0, []
        for r in reversed(self.episode["rew"]):
            g = r + gamma * g
            rets.append(g)
        rets = torch.tensor(rets[::-1])
        self.baseline += 0.05 * (rets[0].item() - self.baseline)
        logp = torch.stack(self.episode["logp"])
        return -(logp * (rets - self.baseline)).sum() - 0.01 * torch.stack(self.episode["ent"]).sum()

    def forget(self):
        for buf in self.episode.values():
            buf.clear()


def main():
    torch.manual_seed(5)
    env, agent = Corridor(), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=8e-3)
    scores = []
    for ep in range(450):
        obs, done = env.reset(), False
        while not done:
            obs, r, done = env.step(agent.act(obs))
            agent.episode["rew"].append(r)
        scores.append(sum(agent.episode["rew"]))
        loss = agent.loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        agent.forget()
        if ep % 90 == 89:
            print(f"episode {ep + 1} score {sum(scores[-50:]) / 50:.2f}")


main()
