# gradwatch-corpus: kind=none
"""Recurrent Q-learning with stored states (R2D2) in a memory corridor."""
import copy
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

GAMMA, BURN, UNROLL, BATCH = 0.95, 2, 5, 12


class Corridor:
    """The first observation shows the door to choose at the end."""

    def __init__(self, length=5):
        self.length = length

    def reset(self):
        self.goal, self.pos = random.randint(0, 1), 0
        return [1.0 - 2 * self.goal, 0.0, 1.0]

    def step(self, a):
        self.pos += 1
        done = self.pos >= self.length
        r = (1.0 if a == self.goal else -1.0) if done else 0.0
        return [0.0, self.pos / self.length, 0.0], r, done


class QNet(nn.Module):
    def __init__(self, hid=24):
        super().__init__()
        self.cell = nn.GRUCell(3, hid)
        self.adv, self.val = nn.Linear(hid, 2), nn.Linear(hid, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        a = self.adv(h)
        return self.val(h) + a - a.mean(-1, keepdim=True), h


@dataclass
class Piece:
    obs: torch.Tensor
    act: torch.Tensor
    rew: torch.Tensor
    done: torch.Tensor
    h0: torch.Tensor
    priority: float = 1.0


class Store:
    def __init__(self):
        self.pieces = []

    def add(self, steps, h0):
        o, a, r, d = zip(*steps)
        self.pieces.append(Piece(torch.tensor(o), torch.tensor(a), torch.tensor(r),
                                 torch.tensor(d, dtype=torch.float), h0.detach()))

    def sample(self, k):
        return random.choices(self.pieces, [p.priority for p in self.pieces], k=k)


def unroll(net, obs, h):
    qs = []
    for x in obs:
        q, h = net(x, h)
        qs.append(q)
    return torch.stack(qs)


def learn(net, target, opt, pieces):
    obs = torch.stack([p.obs for p in pieces], 1)
    act, rew, done = (torch.stack([getattr(p, k) for p in pieces], 1) for k in ("act", "rew", "done"))
    h = torch.stack([p.h0 for p in pieces])
    with torch.no_grad():
        tq = unroll(target, obs, h)
        for x in obs[:BURN]:
            _, h = net(x, h)
    q = unroll(net, obs[BURN:], h)
    chosen = q[:-1].gather(-1, act[BURN:-1, :, None]).squeeze(-1)
    best = q[1:].argmax(-1, keepdim=True)
    goal = rew[BURN:-1] + GAMMA * (1 - done[BURN:-1]) * tq[BURN + 1:].gather(-1, best).squeeze(-1)
    td = goal - chosen
    loss = F.huber_loss(chosen, goal.detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p, e in zip(pieces, td.detach().abs().mean(0).tolist()):
        p.priority = 0.05 + e
    with torch.no_grad():
        for p, t in zip(net.parameters(), target.parameters()):
            t.mul_(0.98).add_(p, alpha=0.02)
    return loss


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    random.seed(6)
    env, net, store = Corridor(), QNet(), Store()
    target = copy.deepcopy(net)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    obs, h = env.reset(), torch.zeros(24)
    steps, start, wins, log = [], h, [], []
    learned = 0
    while learned < 320:
        q, h_next = net(torch.tensor(obs), h)
        a = random.randint(0, 1) if random.random() < 0.2 else int(q.argmax())
        nobs, r, done = env.step(a)
        steps.append((obs, a, r, done))
        obs, h = nobs, h_next.detach()
        if done:
            wins.append(r > 0)
            obs, h = env.reset(), torch.zeros(24)
        if len(steps) == BURN + UNROLL:
            store.add(steps, start)
            steps, start = [], h
            if len(store.pieces) > 20:
                loss = learn(net, target, opt, store.sample(BATCH))
                log.append(loss.item())
                learned += 1
                if learned % 64 == 0:
                    print(f"update {learned} loss {log[-1]:.4f} win rate {sum(wins[-50:]) / 50:.2f}")


if __name__ == "__main__":
    main()
