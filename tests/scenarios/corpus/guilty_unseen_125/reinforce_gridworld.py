# gradwatch-corpus: kind=graph-held
# holder: self.log_probs | agent.log_probs
# first-bad: 1
# notice: 8
import torch
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(5)


class Corridor:
    n = 7

    def reset(self):
        self.p, self.t = 3, 0
        return self.obs()

    def obs(self):
        return F.one_hot(torch.tensor(self.p), self.n).float()

    def step(self, a):
        self.p += 1 if a == 1 else -1
        self.t += 1
        done = self.p in (0, self.n - 1) or self.t >= 12
        return self.obs(), float(self.p == self.n - 1), done


class Agent(torch.nn.Module):
    def __init__(self, n_obs, hidden=8):
        super().__init__()
        self.l1 = torch.nn.Linear(n_obs, hidden)
        self.l2 = torch.nn.Linear(hidden, 2)
        self.log_probs = []
        self.rewards = []

    def act(self, s):
        dist = Categorical(logits=self.l2(F.leaky_relu(self.l1(s))))
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a))  # <- culprit
        return a.item()

    def returns(self, gamma=0.95):
        R, out = 0.0, []
        for r in reversed(self.rewards):
            R = r + gamma * R
            out.insert(0, R)
        return torch.tensor(out)


agent = Agent(Corridor.n)
opt = torch.optim.Adam(agent.parameters(), lr=5e-3)


def finish_episode(T):
    G = agent.returns()
    G = G - G.mean()
    loss = -(torch.stack(agent.log_probs[-T:]) * G).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    score = sum(agent.rewards)
    agent.rewards.clear()  # <- culprit
    return score


env = Corridor()
running = 0.0
for ep in range(320):
    s, done, T = env.reset(), False, 0
    while not done:
        s, r, done = env.step(agent.act(s))
        agent.rewards.append(r)
        T += 1
    running = 0.95 * running + 0.05 * finish_episode(T)
    if ep % 80 == 79:
        print(ep, f"{running:.2f}")
