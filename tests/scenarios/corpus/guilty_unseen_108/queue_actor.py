# gradwatch-corpus: kind=second-backward
# holder: batch.value | value | values | advantage | critic_loss
# first-bad: 24
# notice: 0
"""Admission control for a two-class queue.

Accept or turn away arrivals; actor and critic share a trunk.  The critic gets an
extra consistency pass on every 25th batch, because it tends to lag behind when the
traffic regime switches.
"""
import dataclasses

import torch
from torch import Tensor, nn
from torch.distributions import Bernoulli

CAPACITY = 12
T = 20


class Queue:
    def __init__(self, lanes: int):
        self.n = torch.zeros(lanes)
        self.kind = torch.zeros(lanes)
        self.hot = torch.zeros(lanes)

    def observe(self) -> Tensor:
        return torch.stack([self.n / CAPACITY, self.kind, (self.n >= CAPACITY).float()], 1)

    def act(self, accept: Tensor) -> Tensor:
        room = (self.n < CAPACITY).float()
        taken = accept * room
        pay = taken * (1.0 + 2.0 * self.kind) - 0.05 * self.n - 0.5 * accept * (1 - room)
        self.n = self.n + taken
        served = (torch.rand_like(self.n) < 0.55).float()
        self.n = (self.n - served).clamp(min=0)
        flip = torch.rand_like(self.hot) < 0.02
        self.hot = torch.where(flip, 1 - self.hot, self.hot)
        self.kind = (torch.rand_like(self.n) < 0.2 + 0.5 * self.hot).float()
        return pay


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.pi = nn.Linear(32, 1)
        self.v = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Bernoulli(logits=self.pi(h).squeeze(-1)), self.v(h).squeeze(-1)


@dataclasses.dataclass
class Rollout:
    logp: Tensor
    value: Tensor
    entropy: Tensor
    ret: Tensor
    pay: float

    @property
    def advantage(self):
        return self.ret - self.value


def collect(env: Queue, net: ActorCritic, gamma=0.97) -> Rollout:
    logp, value, entropy, pay = [], [], [], []
    for _ in range(T):
        dist, v = net(env.observe())
        a = dist.sample()
        logp.append(dist.log_prob(a))
        entropy.append(dist.entropy())
        value.append(v)
        pay.append(env.act(a))
    with torch.no_grad():
        run = net(env.observe())[1]
    returns = []
    for r in reversed(pay):
        run = r + gamma * run
        returns.append(run)
    returns.reverse()
    stack = torch.stack
    return Rollout(stack(logp), stack(value), stack(entropy), stack(returns),
                   stack(pay).mean().item())


def main(batches=200, consistency_every=25):
    torch.set_num_threads(1)
    torch.manual_seed(42)
    env, net = Queue(lanes=16), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    earned = 0.0
    for k in range(batches):
        batch = collect(env, net)
        adv = batch.advantage
        actor_loss = -(batch.logp * adv.detach()).mean() - 0.01 * batch.entropy.mean()
        critic_loss = adv.pow(2).mean()
        opt.zero_grad()
        (actor_loss + 0.5 * critic_loss).backward()  # <- culprit
        if (k + 1) % consistency_every == 0:
            drift = batch.value[1:] - batch.value[:-1]  # <- culprit
            (0.1 * drift.pow(2).mean()).backward()  # <- culprit
        opt.step()
        earned += batch.pay
        if k % 10 == 0:
            print(f"batch {k:3d}  pay per tick {earned / (k + 1):.3f}")
    print("done", round(earned / batches, 3))


if __name__ == "__main__":
    main()
