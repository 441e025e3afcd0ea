# gradwatch-corpus: kind=none
"""PPO with GAE on a vectorised toy task: python -m ppo_clip"""
import torch

from .buffer import Rollout
from .policy import Policy


class VecTrack:
    def __init__(self, n):
        self.s = torch.randn(n, 3)

    def step(self, a):
        self.s = 0.8 * self.s + 0.3 * a + 0.1 * torch.randn_like(self.s)
        return self.s, -(self.s - 0.5).pow(2).mean(1)


def main(rounds=15, T=8, epochs=3):
    torch.manual_seed(38)
    env, pi = VecTrack(8), Policy(3)
    opt = torch.optim.Adam(pi.parameters(), lr=3e-3)
    kls = []
    for r in range(rounds):
        buf, s = Rollout(), env.s
        with torch.no_grad():
            for _ in range(T):
                d, v = pi(s)
                a = d.sample()
                s2, rew = env.step(a)
                buf.add(s=s, a=a, logp=d.log_prob(a).sum(1), v=v, r=rew)
                s = s2
            data = buf.finish(pi(s)[1])
        for _ in range(epochs):
            for idx in torch.randperm(len(data["s"])).chunk(4):
                d, v = pi(data["s"][idx])
                lp = d.log_prob(data["a"][idx]).sum(1)
                ratio = (lp - data["logp"][idx]).exp()
                A = data["adv"][idx]
                surr = torch.min(ratio * A, ratio.clamp(0.8, 1.2) * A).mean()
                loss = -surr + 0.5 * (v - data["ret"][idx]).pow(2).mean() - 1e-3 * d.entropy().mean()
                opt.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(pi.parameters(), 0.5)
                opt.step()
                kls.append((data["logp"][idx] - lp).mean().item())
        if r % 5 == 4:
            print(r + 1, "reward %.3f" % data["r"].mean().item(), "kl %.4f" % (sum(kls) / len(kls)))


main()
