# gradwatch-corpus: kind=graph-held
# holder: self.memory | actor.memory
# first-bad: 1
# also: graph-unused
"""Recurrent Q policy for a continuing inventory problem (no episodes, average reward).
The actor walks on with its own LSTM state, the learner unrolls stored stretches with the stored start state."""
import random
from collections import deque
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

ORDERS = [0, 2, 4, 8]


class Stretch(NamedTuple):
    h0: torch.Tensor
    c0: torch.Tensor
    obs: torch.Tensor
    act: torch.Tensor
    rew: torch.Tensor


class Warehouse:
    def __init__(self, rng):
        self.rng, self.stock, self.t = rng, 6.0, 0
        self.pipeline = deque([0, 0], maxlen=2)

    def observe(self):
        return torch.tensor([self.stock / 10, self.pipeline[0] / 8, self.pipeline[1] / 8])

    def step(self, order):
        self.t += 1
        season = 3 + 2 * (1 if (self.t // 12) % 2 else -1)
        self.stock += self.pipeline[0]
        self.pipeline.append(order)
        wanted = self.rng.choice([season - 1, season, season + 1, season + 2])
        sold = min(self.stock, wanted)
        self.stock = min(30.0, self.stock - sold)
        return (2.0 * sold - 0.15 * self.stock - 0.6 * order - 1.0 * (wanted - sold)) / 5


class RecurrentQ(nn.Module):
    def __init__(self, obs=3, hid=32, acts=len(ORDERS)):
        super().__init__()
        self.hid = hid
        self.cell = nn.LSTMCell(obs, hid)
        self.adv = nn.Linear(hid, acts)
        self.val = nn.Linear(hid, 1)

    def heads(self, h):
        a = self.adv(h)
        return self.val(h) + a - a.mean(-1, keepdim=True)

    def forward(self, x, memory):
        h, c = self.cell(x, memory)
        return self.heads(h), (h, c)


class Actor:
    def __init__(self, net, house, rng, span=8):
        self.net, self.house, self.rng, self.span = net, house, rng, span
        self.memory = (torch.zeros(1, net.hid), torch.zeros(1, net.hid))

    def stretch(self, eps):
        h0, c0 = (m.detach().clone() for m in self.memory)
        seen, chosen, gained = [], [], []
        for _ in range(self.span):
            o = self.house.observe()
            q, self.memory = self.net(o.unsqueeze(0), self.memory)  # <- culprit
            a = self.rng.randrange(len(ORDERS)) if self.rng.random() < eps else int(q.argmax())
            seen.append(o)
            chosen.append(a)
            gained.append(self.house.step(ORDERS[a]))
        seen.append(self.house.observe())
        return Stretch(h0[0], c0[0], torch.stack(seen), torch.tensor(chosen), torch.tensor(gained))


def learn(net, slow, batch, gamma=0.97):
    state = (torch.stack([b.h0 for b in batch]), torch.stack([b.c0 for b in batch]))
    slow_state = state
    obs = torch.stack([b.obs for b in batch], 1)
    act = torch.stack([b.act for b in batch], 1)
    rew = torch.stack([b.rew for b in batch], 1)
    online, target = [], []
    for t in range(obs.size(0)):
        if t < act.size(0):
            q, state = net(obs[t], state)
            online.append(q)
        with torch.no_grad():
            tq, slow_state = slow(obs[t], slow_state)
            target.append(tq)
    online, target = torch.stack(online), torch.stack(target)
    picked = online.gather(2, act.unsqueeze(2)).squeeze(2)
    goal = rew + gamma * target[1:].amax(2)
    return F.huber_loss(picked, goal)


def main():
    torch.manual_seed(8)
    rng = random.Random(8)
    net, slow = RecurrentQ(), RecurrentQ().requires_grad_(False)
    slow.load_state_dict(net.state_dict())
    actor = Actor(net, Warehouse(rng), rng)
    bank = deque(maxlen=400)
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    avg = 0.0
    for it in range(350):
        bank.append(actor.stretch(eps=max(0.05, 0.6 - it / 300)))
        avg += 0.03 * (bank[-1].rew.mean().item() - avg)
        loss = learn(net, slow, rng.choices(bank, k=12))
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        if it % 20 == 0:
            slow.load_state_dict(net.state_dict())
        if it % 50 == 0:
            print(f"{it:4d} td {loss.item():.4f} avg reward {avg:+.3f} stock {actor.house.stock:.0f}")


main()
