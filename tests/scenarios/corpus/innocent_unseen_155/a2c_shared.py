# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(23)


class Cue:
    """Remember a cue for a few steps, then answer."""

    def __init__(self, n_env=8):
        self.n = n_env
        self.reset()

    def reset(self):
        self.cue = torch.randint(0, 3, (self.n,))
        self.t = 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n, 4)
        if self.t == 0:
            o[torch.arange(self.n), self.cue] = 1.0
        o[:, 3] = self.t / 4
        return o

    def step(self, act):
        self.t += 1
        reward = (act == self.cue).float() if self.t == 4 else torch.zeros(self.n)
        obs = self.reset() if self.t == 4 else self.obs()
        return obs, reward, self.t == 0


class ActorCritic(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.core = nn.GRUCell(4, hidden)
        self.pi = nn.Linear(hidden, 3)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, obs, h):
        h = self.core(obs, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.logp, self.values, self.rewards, self.entropy = [], [], [], []

    def push(self, logp, value, reward, entropy):
        self.logp.append(logp)
        self.values.append(value)
        self.rewards.append(reward)
        self.entropy.append(entropy)

    def advantage(self, last, gamma=0.95):
        rets, g = [], last
        for r in reversed(self.rewards):
            g = r + gamma * g
            rets.insert(0, g)
        return torch.stack(rets) - torch.stack(self.values)


def main(updates=100):
    env, net, buf = Cue(), ActorCritic(), Rollout()
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    obs, h, mean = env.reset(), torch.zeros(env.n, net.hidden), 0.0
    for u in range(updates):
        for _ in range(5):
            dist, value, h = net(obs, h)
            act = dist.sample()
            obs, reward, fresh = env.step(act)
            buf.push(dist.log_prob(act), value, reward, dist.entropy())
            if fresh:
                h = h * 0.0
        with torch.no_grad():
            last = net(obs, h)[1]
        adv = buf.advantage(last)
        policy = -(torch.stack(buf.logp) * adv.detach()).mean() - 0.01 * torch.stack(buf.entropy).mean()
        value = adv.pow(2).mean()
        opt.zero_grad()
        policy.backward(retain_graph=True)
        (0.5 * value).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        mean = 0.95 * mean + 0.05 * torch.stack(buf.rewards).sum(0).mean().item()
        buf.clear()
        h = h.detach()
        if u % 25 == 24:
            print(u, round(mean, 3))


main()
