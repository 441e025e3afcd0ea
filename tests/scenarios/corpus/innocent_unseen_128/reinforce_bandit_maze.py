# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn


class Maze:
    moves = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def reset(self):
        self.p = [0, 0]
        return self.state()

    def state(self):
        return torch.tensor([self.p[0] / 3, self.p[1] / 3, 1.0])

    def step(self, a):
        dx, dy = self.moves[a]
        self.p = [min(3, max(0, self.p[0] + dx)), min(3, max(0, self.p[1] + dy))]
        done = self.p == [3, 3]
        return self.state(), 1.0 if done else -0.05, done


class PolicyGradient(nn.Module):
    def __init__(self, gamma=0.97):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 4))
        self.gamma = gamma
        self.saved_log_probs, self.rewards = [], []

    def act(self, s):
        dist = torch.distributions.Categorical(logits=self.body(s))
        a = dist.sample()
        self.saved_log_probs.append(dist.log_prob(a))
        return a.item()

    def finish_episode(self, opt):
        R, returns = 0.0, []
        for r in reversed(self.rewards):
            R = r + self.gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std(unbiased=False) + 1e-6)
        loss = torch.stack([-lp * g for lp, g in zip(self.saved_log_probs, returns)]).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        del self.saved_log_probs[:], self.rewards[:]


torch.manual_seed(5)
env, pi = Maze(), PolicyGradient()
opt = torch.optim.Adam(pi.parameters(), lr=5e-3)
lengths = []
for ep in range(450):
    s = env.reset()
    for t in range(15):
        s, r, done = env.step(pi.act(s))
        pi.rewards.append(r)
        if done:
            break
    pi.finish_episode(opt)
    lengths.append(t + 1)
print(sum(lengths[:50]) / 50, sum(lengths[-50:]) / 50)
