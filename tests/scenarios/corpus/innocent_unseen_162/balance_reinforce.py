# gradwatch-corpus: kind=none
"""Policy gradient with an episode buffer: the update happens when an episode ends."""
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(5)


class Pole:
    """A stick on a cart, Euler integration, ends when the stick falls or after max_steps."""

    def __init__(self, max_steps=90):
        self.max_steps = max_steps

    def reset(self):
        self.t = 0
        self.s = 0.05 * torch.randn(4)
        return self.s

    def step(self, action):
        x, v, th, om = self.s.tolist()
        force = 8.0 if action else -8.0
        acc = 12.0 * th - force + 0.3 * float(torch.randn(()))
        om, v = om + 0.02 * acc, v + 0.02 * force
        th, x = th + 0.02 * om, x + 0.02 * v
        self.s = torch.tensor([x, v, th, om])
        self.t += 1
        done = abs(th) > 0.25 or abs(x) > 2.4 or self.t >= self.max_steps
        return self.s, 1.0, done


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 32), nn.Tanh())
        self.pi = nn.Linear(32, 2)
        self.v = nn.Linear(32, 1)
        self.saved = []
        self.opt = torch.optim.Adam(self.parameters(), lr=6e-3)

    def act(self, s):
        z = self.body(s)
        dist = Categorical(logits=self.pi(z))
        a = dist.sample()
        self.saved.append([dist.log_prob(a), self.v(z).squeeze(-1), dist.entropy(), None])
        return a.item()

    def reward(self, r):
        self.saved[-1][-1] = r

    def finish(self):
        ret, returns = 0.0, []
        for *_, r in reversed(self.saved):
            ret = r + 0.97 * ret
            returns.insert(0, ret)
        returns = torch.tensor(returns)
        logp, values, ent = (torch.stack(c) for c in list(zip(*self.saved))[:3])
        adv = (returns - values).detach()
        adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        loss = -(logp * adv).sum() + 0.5 * (returns / 30 - values / 30).pow(2).sum() - 0.01 * ent.sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.saved = []
        return loss.detach()


env, agent = Pole(), Agent()
episode, total, lengths, losses = 0, 0, [], []
state = env.reset()
while episode < 110:
    state, r, done = env.step(agent.act(state))
    agent.reward(r)
    total += 1
    if done:
        losses.append(agent.finish())
        lengths.append(env.t)
        episode += 1
        state = env.reset()
        if episode % 20 == 0:
            print(f"episode {episode} mean length {sum(lengths[-20:]) / 20:.1f} loss {losses[-1]:.2f}")
print("steps", total, "best", max(lengths))
