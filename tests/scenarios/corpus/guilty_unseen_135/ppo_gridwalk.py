# gradwatch-corpus: kind=second-backward
# holder: data["logp"] | mb["logp"] | batch["logp"] | steps["logp"]
# first-bad: 1
# notice: 0
"""PPO-clip on a 5x5 grid walk."""
import torch

torch.set_num_threads(1)
from torch import nn
from torch.distributions import Categorical


class Grid:
    size = 5
    moves = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])

    def __init__(self, n):
        self.n = n
        self.goal = torch.tensor([4, 4])
        self.pos = torch.zeros(n, 2, dtype=torch.long)

    def obs(self):
        return self.pos.float() / (self.size - 1)

    def step(self, a):
        self.pos = (self.pos + self.moves[a]).clamp(0, self.size - 1)
        hit = (self.pos == self.goal).all(-1)
        self.pos[hit] = 0
        return self.obs(), hit.float() - 0.01


class ActorCritic(nn.Module):
    def __init__(self, h=24):
        super().__init__()
        self.base = nn.Sequential(nn.Linear(2, h), nn.Tanh())
        self.pi, self.v = nn.Linear(h, 4), nn.Linear(h, 1)

    def forward(self, o):
        z = self.base(o)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


class PPO:
    def __init__(self, envs=6, horizon=10, clip=0.2, gamma=0.95):
        self.env, self.ac = Grid(envs), ActorCritic()
        self.opt = torch.optim.Adam(self.ac.parameters(), lr=3e-3)
        self.horizon, self.clip, self.gamma = horizon, clip, gamma

    def collect(self):
        steps = {k: [] for k in ("obs", "act", "logp", "rew", "val")}
        o = self.env.obs()
        for _ in range(self.horizon):
            dist, v = self.ac(o)
            a = dist.sample()
            nxt, r = self.env.step(a)
            for k, x in zip(steps, (o, a, dist.log_prob(a), r, v.detach())):  # <- culprit
                steps[k].append(x)  # <- culprit
            o = nxt
        data = {k: torch.stack(x) for k, x in steps.items()}
        with torch.no_grad():
            run = self.ac(o)[1]
        returns = []
        for r in reversed(data["rew"]):
            run = r + self.gamma * run
            returns.insert(0, run)
        data["ret"] = torch.stack(returns)
        return {k: x.flatten(0, 1) for k, x in data.items()}

    def minibatches(self, data, size=20):
        for idx in torch.randperm(len(data["act"])).split(size):
            yield {k: x[idx] for k, x in data.items()}

    def update(self, data, epochs=3):
        for _ in range(epochs):
            for mb in self.minibatches(data):
                dist, v = self.ac(mb["obs"])
                adv = mb["ret"] - mb["val"]
                ratio = (dist.log_prob(mb["act"]) - mb["logp"]).exp()
                surrogate = torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv)
                loss = -surrogate.mean() + 0.5 * (v - mb["ret"]).pow(2).mean() - 0.01 * dist.entropy().mean()
                self.opt.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.ac.parameters(), 0.5)
                self.opt.step()


torch.manual_seed(3)
algo = PPO()
for it in range(40):
    batch = algo.collect()
    algo.update(batch)
    if it % 10 == 0:
        print(it, batch["rew"].mean().item())
