# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
from torch.distributions import Categorical


class RolloutBuffer:
    def __init__(self):
        self.clear()

    def clear(self):
        self.obs, self.act, self.logp, self.val, self.rew = [], [], [], [], []

    def add(self, obs, act, logp, val, rew):
        self.obs.append(obs)
        self.act.append(act)
        self.logp.append(logp)
        self.val.append(val)
        self.rew.append(rew)

    def returns(self, last, gamma):
        out, run = [], last
        for r in reversed(self.rew):
            run = r + gamma * run
            out.insert(0, run)
        return torch.stack(out)

    def tensors(self, last, gamma):
        ret = self.returns(last, gamma).detach()
        val = torch.stack(self.val).detach()
        adv = ret - val
        flat = lambda v: v.flatten(0, 1)
        return (flat(torch.stack(self.obs)), flat(torch.stack(self.act)),
                flat(torch.stack(self.logp).detach()), flat(ret),
                flat((adv - adv.mean()) / (adv.std() + 1e-6)))


class Corridor:
    def __init__(self, n, length=9):
        self.n, self.length = n, length
        self.pos = torch.randint(0, length, (n,))

    def obs(self):
        return nn.functional.one_hot(self.pos, self.length).float()

    def step(self, a):
        self.pos = (self.pos + 2 * a - 1).clamp(0, self.length - 1)
        done = self.pos == self.length - 1
        rew = done.float() - 0.01
        self.pos = torch.where(done, torch.randint(0, self.length - 1, (self.n,)), self.pos)
        return self.obs(), rew


class Policy(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, 2), nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main(updates=90, horizon=10, epochs=3, minibatch=40, gamma=0.95, clip=0.2):
    torch.manual_seed(77)
    env = Corridor(8)
    policy, buffer = Policy(env.length), RolloutBuffer()
    opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
    obs = env.obs()
    for it in range(updates):
        for _ in range(horizon):
            with torch.no_grad():
                dist, val = policy(obs)
            act = dist.sample()
            nxt, rew = env.step(act)
            buffer.add(obs, act, dist.log_prob(act), val, rew)
            obs = nxt
        with torch.no_grad():
            last = policy(obs)[1]
        batch = buffer.tensors(last, gamma)
        mean_rew = torch.stack(buffer.rew).mean().item()
        buffer.clear()
        kls = []
        for _ in range(epochs):
            for idx in torch.randperm(len(batch[0])).split(minibatch):
                o, a, old, ret, adv = (t[idx] for t in batch)
                dist, val = policy(o)
                logp = dist.log_prob(a)
                ratio = (logp - old).exp()
                pg = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
                loss = pg + 0.5 * (val - ret).pow(2).mean() - 0.01 * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
                kls.append((old - logp).mean().item())
        if it % 10 == 0:
            print(f"update {it} reward {mean_rew:.3f} kl {sum(kls) / len(kls):.5f}")


if __name__ == "__main__":
    main()
