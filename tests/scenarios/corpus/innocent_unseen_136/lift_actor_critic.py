# gradwatch-corpus: kind=none
"""Lift dispatcher trained with actor-critic; separate backward passes through one shared trunk."""
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)


class Lift:
    floors = 5

    def reset(self):
        self.at = 2
        self.calls = torch.zeros(self.floors)
        self.t = 0
        return self._spawn()

    def _spawn(self):
        if torch.rand(()) < 0.5:
            self.calls[int(torch.randint(0, self.floors, ()))] += 1
        where = torch.zeros(self.floors)
        where[self.at] = 1
        return torch.cat([where, self.calls.clamp(max=3) / 3])

    def step(self, move):
        self.at = max(0, min(self.floors - 1, self.at + move - 1))
        served = self.calls[self.at].item()
        self.calls[self.at] = 0
        self.t += 1
        return self._spawn(), served - 0.1 * self.calls.sum().item(), self.t >= 8


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.log_probs, self.values, self.rewards, self.entropies = [], [], [], []

    def returns(self, gamma=0.9):
        g, out = 0.0, []
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.append(g)
        return torch.tensor(out[::-1])


class Dispatcher(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, width), nn.Tanh())
        self.pi = nn.Linear(width, 3)
        self.v = nn.Linear(width, 1)

    def forward(self, s):
        z = self.trunk(s)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


def collect(env, net, roll):
    s, done = env.reset(), False
    while not done:
        dist, v = net(s)
        a = dist.sample()
        s, r, done = env.step(a.item())
        roll.log_probs.append(dist.log_prob(a))
        roll.values.append(v)
        roll.entropies.append(dist.entropy())
        roll.rewards.append(r)
    return sum(roll.rewards)


def learn(net, opt, roll):
    ret = roll.returns()
    values = torch.stack(roll.values)
    adv = (ret - values).detach()
    actor_loss = -(torch.stack(roll.log_probs) * adv).sum() - 0.01 * torch.stack(roll.entropies).sum()
    critic_loss = (values - ret).pow(2).sum()
    opt.zero_grad()
    actor_loss.backward(retain_graph=True)
    actor_norm = nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    critic_loss.backward()
    opt.step()
    roll.clear()
    return float(actor_norm)


def main():
    torch.manual_seed(12)
    env, net, roll = Lift(), Dispatcher(), Rollout()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    score = 0.0
    for ep in range(420):
        score = 0.97 * score + 0.03 * collect(env, net, roll)
        norm = learn(net, opt, roll)
        if ep % 100 == 0:
            print(f"episode {ep} score {score:.2f} actor grad {norm:.2f}")


main()
