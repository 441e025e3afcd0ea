# gradwatch-corpus: kind=none
"""Recurrent Q-learning with stored states and a bounded priority memory (toy key-door corridor)."""
import contextvars
import heapq
import itertools
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

acting_state = contextvars.ContextVar("acting_state", default=None)
N_ENVS, SEQ, BURN, HID, N_ACT = 8, 12, 4, 32, 3


class Segment(NamedTuple):
    h0: torch.Tensor
    obs: torch.Tensor
    act: torch.Tensor
    rew: torch.Tensor
    cont: torch.Tensor


class Corridor:
    def __init__(self, n, length=6, limit=24):
        self.n, self.length, self.limit = n, length, limit
        self.x = torch.zeros(n)
        self.t = torch.zeros(n)
        self.key = torch.zeros(n)
        self.side = torch.randint(0, 2, (n,)).float() * 2 - 1

    def obs(self):
        hint = self.side * (self.t == 0)
        return torch.stack([self.x / self.length, hint, self.key, torch.ones_like(self.x)], 1)

    def step(self, a):
        self.x = (self.x + a.float() - 1).clamp(-self.length, self.length)
        self.t = self.t + 1
        got = (self.x == 3 * self.side) & (self.key == 0)
        self.key = torch.where(got, torch.ones_like(self.key), self.key)
        goal = (self.x == 0) & (self.key > 0)
        r = 0.3 * got.float() + goal.float() - 0.01
        end = goal | (self.t >= self.limit)
        self.x = torch.where(end, torch.zeros_like(self.x), self.x)
        self.key = torch.where(end, torch.zeros_like(self.key), self.key)
        self.t = torch.where(end, torch.zeros_like(self.t), self.t)
        return self.obs(), r, 1.0 - end.float()


class QNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, HID)
        self.q = nn.Linear(HID, N_ACT)

    def forward(self, o, h):
        h = self.cell(o, h)
        return self.q(h), h

    def unroll(self, obs, cont, h):
        qs = []
        for t in range(len(obs)):
            q, h = self(obs[t], h)
            qs.append(q)
            h = h * cont[t].unsqueeze(1)
        return torch.stack(qs), h


class PriorityMemory:
    """Keeps the highest-error segments; the smallest one is at the root and goes first."""

    def __init__(self, capacity):
        self._heap, self._n, self.capacity = [], itertools.count(), capacity

    def push(self, priority, seg):
        item = (priority, next(self._n), seg)
        if len(self._heap) < self.capacity:
            heapq.heappush(self._heap, item)
        else:
            heapq.heappushpop(self._heap, item)

    def pop_random(self):
        i = int(torch.randint(0, len(self._heap), ()))
        _, _, seg = self._heap[i]
        self._heap[i] = self._heap[-1]
        self._heap.pop()
        heapq.heapify(self._heap)
        return seg

    def __len__(self):
        return len(self._heap)


def act_segment(env, net, obs, eps):
    h = acting_state.get()
    start, rows = h, []
    with torch.no_grad():
        for _ in range(SEQ):
            q, h = net(obs, h)
            a = torch.where(torch.rand(env.n) < eps, torch.randint(0, N_ACT, (env.n,)), q.argmax(1))
            nxt, r, c = env.step(a)
            rows.append((obs, a, r, c))
            h, obs = h * c.unsqueeze(1), nxt
    acting_state.set(h)
    return obs, Segment(start, *(torch.stack(col) for col in zip(*rows)))


def td_errors(net, target, seg, gamma=0.95):
    with torch.no_grad():
        _, h = net.unroll(seg.obs[:BURN], seg.cont[:BURN], seg.h0)
    rest = [x[BURN:] for x in seg[1:]]
    obs, act, rew, cont = rest
    q, _ = net.unroll(obs, cont, h)
    with torch.no_grad():
        qt, _ = target.unroll(obs, cont, h)
        y = rew[:-1] + gamma * cont[:-1] * qt[1:].max(-1).values
    return q[:-1].gather(-1, act[:-1].unsqueeze(-1)).squeeze(-1) - y


def main():
    torch.manual_seed(6)
    env, net, target = Corridor(N_ENVS), QNet(), QNet()
    target.load_state_dict(net.state_dict())
    opt, memory = torch.optim.Adam(net.parameters(), lr=2e-3), PriorityMemory(48)
    acting_state.set(torch.zeros(N_ENVS, HID))
    obs = env.obs()
    for it in range(160):
        obs, seg = act_segment(env, net, obs, eps=max(0.1, 1 - it / 80))
        memory.push(10.0, seg)
        sample = memory.pop_random()
        err = td_errors(net, target, sample)
        loss = F.smooth_l1_loss(err, torch.zeros_like(err))
        opt.zero_grad()
        loss.backward()
        opt.step()
        memory.push(err.abs().mean().item(), sample)
        if it % 10 == 0:
            target.load_state_dict(net.state_dict())
        if it % 40 == 0:
            print(f"{it:4d} loss {loss.item():.4f} reward {seg.rew.mean().item():+.3f} memory {len(memory)}")


if __name__ == "__main__":
    main()
