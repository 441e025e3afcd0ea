# gradwatch-corpus: kind=none
"""Recurrent A2C: one update per eight environment steps, state carried over."""
import torch
from torch import nn


class Drift:
    def __init__(self, n=6, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, generator=self.g)
        self.age = torch.zeros(n)

    def step(self, a):
        self.x = 0.95 * self.x + 0.4 * (a.float() - 1) + 0.1 * torch.randn(self.x.shape, generator=self.g)
        self.age += 1
        done = (self.x.abs() > 3) | (self.age > 60)
        reward = 1 - self.x.abs()
        self.x, self.age = self.x.masked_fill(done, 0.5), self.age.masked_fill(done, 0)
        return self.x.unsqueeze(-1), reward, done


class Core(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.gru = nn.GRUCell(1, hidden)
        self.pi, self.v = nn.Linear(hidden, 3), nn.Linear(hidden, 1)

    def forward(self, obs, h):
        h = self.gru(obs, h)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


class Storage:
    fields = ("logp", "value", "reward", "mask", "ent")

    def __init__(self):
        self.clear()

    def clear(self):
        self.rows = {f: [] for f in self.fields}

    def add(self, **kw):
        for k, v in kw.items():
            self.rows[k].append(v)

    def __len__(self):
        return len(self.rows["logp"])

    def loss(self, last, gamma=0.95):
        r = self.rows
        ret, adv = last, []
        for rew, mask, value in zip(reversed(r["reward"]), reversed(r["mask"]), reversed(r["value"])):
            ret = rew + gamma * mask * ret
            adv.append(ret - value)
        adv = torch.stack(adv[::-1])
        pg = -(torch.stack(r["logp"]) * adv.detach()).mean()
        return pg + 0.5 * adv.pow(2).mean() - 0.01 * torch.stack(r["ent"]).mean()


class A2C:
    def __init__(self, n, length=8):
        self.core, self.store, self.length = Core(), Storage(), length
        self.opt = torch.optim.RMSprop(self.core.parameters(), lr=2e-3)
        self.h = torch.zeros(n, 16)
        self.losses = []

    def act(self, obs):
        dist, value, self.h = self.core(obs, self.h)
        a = dist.sample()
        self.store.add(logp=dist.log_prob(a), value=value, ent=dist.entropy())
        return a

    def feedback(self, obs, reward, done):
        mask = 1.0 - done.float()
        self.store.add(reward=reward, mask=mask)
        self.h = self.h * mask.unsqueeze(-1)
        if len(self.store) == self.length:
            self.update(obs)

    def update(self, obs):
        with torch.no_grad():
            _, last, _ = self.core(obs, self.h)
        loss = self.store.loss(last)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.core.parameters(), 0.5)
        self.opt.step()
        self.losses.append(loss.detach())
        self.h = self.h.detach()
        self.store.clear()


def main(env_steps=8 * 420):
    torch.manual_seed(0)
    env, agent, total = Drift(), A2C(6), 0.0
    obs = env.x.unsqueeze(-1)
    for t in range(1, env_steps + 1):
        obs, reward, done = env.step(agent.act(obs))
        agent.feedback(obs, reward, done)
        total += reward.mean().item()
        if t % 480 == 0:
            print(t, f"reward {total / 480:.3f} loss {agent.losses[-1].item():.3f}", flush=True)
            total = 0.0


if __name__ == "__main__":
    main()
