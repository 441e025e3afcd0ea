# gradwatch-corpus: kind=graph-held
# holder: agent.entropy_trace | self.entropy_trace
# first-bad: 1
# notice: 8
import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(3)

SIZE = 4
MOVES = torch.tensor([[0, 1], [1, 0], [0, -1], [-1, 0]])


class Corridor:
    def reset(self):
        self.pos = torch.tensor([0, 0])
        self.t = 0
        return self.obs()

    def obs(self):
        flat = torch.zeros(SIZE * SIZE)
        flat[self.pos[0] * SIZE + self.pos[1]] = 1.0
        return flat

    def step(self, a):
        self.pos = (self.pos + MOVES[a]).clamp(0, SIZE - 1)
        self.t += 1
        goal = bool((self.pos == SIZE - 1).all())
        return self.obs(), (1.0 if goal else -0.02), goal or self.t >= 12


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(SIZE * SIZE, 16), nn.Tanh(), nn.Linear(16, 4))
        self.entropy_trace = []
        self.begin()

    def begin(self):
        self.logp, self.rew = [], []

    def act(self, obs):
        dist = Categorical(logits=self.pi(obs))
        a = dist.sample()
        self.logp.append(dist.log_prob(a))
        return int(a), dist

    def objective(self, ents, gamma=0.97, beta=0.01):
        ret, out = 0.0, []
        for r in reversed(self.rew):
            ret = r + gamma * ret
            out.insert(0, ret)
        out = torch.tensor(out)
        spread = torch.stack(ents).mean()
        self.entropy_trace.append(spread)  # <- culprit
        return -(torch.stack(self.logp) * (out - out.mean())).sum() - beta * spread


env, agent = Corridor(), Agent()
opt = torch.optim.RMSprop(agent.parameters(), lr=2e-3)
for episode in range(260):
    obs, done, ents = env.reset(), False, []
    agent.begin()
    while not done:
        a, dist = agent.act(obs)
        ents.append(dist.entropy())
        obs, r, done = env.step(a)
        agent.rew.append(r)
    loss = agent.objective(ents)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if episode % 65 == 64:
        tail = agent.entropy_trace[-20:]
        print(f"ep {episode}: return {sum(agent.rew):.2f} entropy {sum(float(e) for e in tail) / len(tail):.3f}")
