# gradwatch-corpus: kind=none
# PPO, single file (CleanRL-ish), continuous action servo control
from dataclasses import dataclass
import torch
import torch.nn as nn
from torch.distributions import Normal
torch.set_num_threads(1)


@dataclass
class Args:
    seed: int = 1
    envs: int = 4
    horizon: int = 12
    iterations: int = 70
    epochs: int = 3
    minibatches: int = 3
    gamma: float = 0.95
    lam: float = 0.9
    clip: float = 0.2
    ent: float = 0.005
    lr: float = 3e-3


class Servo:
    """n servos: bring the angle to the target."""

    def __init__(self, n):
        self.n, self.s = n, torch.zeros(n, 2)

    def step(self, a):
        self.s[:, 0] += 0.3 * a.clamp(-1, 1)
        r = -(self.s[:, 0] - self.s[:, 1]).abs()
        renew = torch.rand(self.n) < 0.1
        self.s[renew] = 2 * torch.rand(int(renew.sum()), 2) - 1
        return self.s.clone(), r, renew.float()


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.v = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.mu = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.logstd = nn.Parameter(torch.zeros(1))

    def evaluate(self, o, a=None):
        d = Normal(self.mu(o).squeeze(-1), self.logstd.exp())
        a = d.sample() if a is None else a
        return a, d.log_prob(a), d.entropy(), self.v(o).squeeze(-1)


args = Args()
torch.manual_seed(args.seed)
env, net = Servo(args.envs), ActorCritic()
opt = torch.optim.Adam(net.parameters(), lr=args.lr, eps=1e-5)
obs, done = env.s.clone(), torch.zeros(args.envs)

for it in range(args.iterations):
    shape = (args.horizon, args.envs)
    O, A, LP, R, D, V = torch.zeros(*shape, 2), *(torch.zeros(shape) for _ in range(5))
    for t in range(args.horizon):
        O[t], D[t] = obs, done
        with torch.no_grad():
            A[t], LP[t], _, V[t] = net.evaluate(obs)
        obs, R[t], done = env.step(A[t])
    with torch.no_grad():
        nxt = net.v(obs).squeeze(-1)
        adv, last = torch.zeros(shape), 0
        for t in reversed(range(args.horizon)):
            live = 1.0 - (done if t == args.horizon - 1 else D[t + 1])
            nv = nxt if t == args.horizon - 1 else V[t + 1]
            delta = R[t] + args.gamma * nv * live - V[t]
            adv[t] = last = delta + args.gamma * args.lam * live * last
        ret = adv + V
    flat = [x.flatten(0, 1) for x in (O, A, LP, adv, ret)]
    kls = []
    for _ in range(args.epochs):
        for mb in torch.randperm(args.horizon * args.envs).chunk(args.minibatches):
            o, a, lp_old, ad, rt = (x[mb] for x in flat)
            _, lp, ent, v = net.evaluate(o, a)
            ratio = (lp - lp_old).exp()
            ad = (ad - ad.mean()) / (ad.std() + 1e-8)
            pg = torch.max(-ad * ratio, -ad * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
            loss = pg + 0.5 * (v - rt).pow(2).mean() - args.ent * ent.mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            opt.step()
            kls.append((lp_old - lp).mean())
    if it % 14 == 13:
        print(f"iter {it + 1} reward {R.mean():+.3f} std {net.logstd.exp().item():.2f} kl {torch.stack(kls).mean().item():+.4f}")
