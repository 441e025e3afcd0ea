# gradwatch-corpus: kind=graph-held
# holder: agent.memory.storage | self.memory.storage | memory.storage | self.storage | agent.memory | self.memory
# first-bad: 1
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

Transition = namedtuple("Transition", ("state", "action", "reward", "next_state", "done", "log_prob"))
GAMMA = 0.95


class GridWalk:
    """walk to the right end of a line, slippery"""

    def __init__(self, n=8, max_t=40):
        self.n = n
        self.max_t = max_t

    def obs(self):
        v = torch.zeros(self.n)
        v[self.s] = 1.0
        return v

    def reset(self):
        self.s = 0
        self.t = 0
        return self.obs()

    def step(self, a):
        move = 1 if a == 1 else -1
        if random.random() < 0.1:
            move = -move
        self.s = min(max(self.s + move, 0), self.n - 1)
        self.t += 1
        won = self.s == self.n - 1
        done = won or self.t >= self.max_t
        return self.obs(), (1.0 if won else -0.01), done


class ReplayMemory:
    def __init__(self, capacity):
        self.storage = deque(maxlen=capacity)

    def push(self, *args):
        self.storage.append(Transition(*args))  # <- culprit

    def sample(self, k):
        return Transition(*zip(*random.sample(self.storage, k)))

    def __len__(self):
        return len(self.storage)


class ActorCritic(nn.Module):
    def __init__(self, n_obs, n_act, hid=32):
        super().__init__()
        self.body = nn.Linear(n_obs, hid)
        self.pi = nn.Linear(hid, n_act)
        self.q = nn.Linear(hid, n_act)

    def forward(self, s):
        h = torch.tanh(self.body(s))
        return F.log_softmax(self.pi(h), -1), self.q(h)


class Agent:
    def __init__(self, n_obs, n_act):
        self.net = ActorCritic(n_obs, n_act)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.memory = ReplayMemory(20000)

    def act(self, s):
        logp, _ = self.net(s)
        a = Categorical(logits=logp.detach()).sample()
        return a, logp[a]  # <- culprit

    def learn(self, batch_size=32):
        b = self.memory.sample(batch_size)
        s = torch.stack(b.state)
        s2 = torch.stack(b.next_state)
        a = torch.stack(b.action)
        r = torch.tensor(b.reward)
        d = torch.tensor(b.done).float()
        mu = torch.tensor([lp.item() for lp in b.log_prob])
        logp, q = self.net(s)
        with torch.no_grad():
            logp2, q2 = self.net(s2)
            v2 = (logp2.exp() * q2).sum(-1)
            target = r + GAMMA * (1 - d) * v2
            rho = (logp.gather(1, a[:, None]).squeeze(1) - mu).exp().clamp(max=2.0)
        q_a = q.gather(1, a[:, None]).squeeze(1)
        critic_loss = F.mse_loss(q_a, target)
        v = (logp.exp() * q).sum(-1)
        adv = (target - v).detach()
        actor_loss = -(rho * logp.gather(1, a[:, None]).squeeze(1) * adv).mean()
        entropy = -(logp.exp() * logp).sum(-1).mean()
        loss = critic_loss + actor_loss - 0.01 * entropy
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def warm_up(env, memory, n):
    s = env.reset()
    for _ in range(n):
        a = torch.randint(2, ())
        s2, r, done = env.step(a.item())
        memory.push(s, a, r, s2, done, torch.tensor(0.5).log())
        s = env.reset() if done else s2


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    env = GridWalk()
    agent = Agent(8, 2)
    warm_up(env, agent.memory, 64)
    s = env.reset()
    ret = 0.0
    for it in range(160):
        for _ in range(4):
            a, log_prob = agent.act(s)
            s2, r, done = env.step(a.item())
            agent.memory.push(s, a, r, s2, done, log_prob)  # <- culprit
            ret += r
            s = env.reset() if done else s2
        loss = agent.learn()
        if it % 40 == 0:
            print(f"it {it} loss {loss:.3f} return {ret:.2f} memory {len(agent.memory)}")
