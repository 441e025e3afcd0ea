# gradwatch-corpus: kind=none
import heapq
from collections import OrderedDict, deque

import torch
from torch import nn
import torch.nn.functional as F


class KeyQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=-1))
        self.ptr = 0

    @torch.no_grad()
    def push(self, k):
        idx = (self.ptr + torch.arange(len(k))) % len(self.keys)
        self.keys[idx] = k
        self.ptr = int(idx[-1] + 1) % len(self.keys)


class LRU:
    """Augmented views by item, the least recently used thrown out."""

    def __init__(self, cap, make):
        self.cap, self.make, self.store = cap, make, OrderedDict()

    def get(self, key):
        if key in self.store:
            self.store.move_to_end(key)
        else:
            self.store[key] = self.make(key)
            if len(self.store) > self.cap:
                self.store.popitem(last=False)
        return self.store[key]


class HardItems:
    def __init__(self, cap):
        self.cap, self.heap = cap, []

    def offer(self, losses, ids):
        for l, i in zip(losses.detach().tolist(), ids):
            entry = (l, i)
            if len(self.heap) < self.cap:
                heapq.heappush(self.heap, entry)
            else:
                heapq.heappushpop(self.heap, entry)

    def drain(self):
        ids = [i for _, i in self.heap]
        self.heap.clear()
        return ids


def encoder(bins, dim):
    return nn.Sequential(nn.Linear(bins, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, dim))


def views(item):
    g = torch.Generator().manual_seed(item)
    base = torch.randn(3, generator=g)
    t = torch.linspace(0, 1, 40)
    x = torch.sin(10 * base[0] * t + base[1]) + base[2] * t
    return x + 0.2 * torch.randn(2, 40, generator=g)


def id_batches(steps, hard, n=24, items=200):
    g = torch.Generator().manual_seed(0)
    for step in range(steps):
        ids = torch.randint(0, items, (n,), generator=g).tolist()
        if step % 10 == 9:
            extra = hard.drain()
            ids = (extra + ids)[:n]
        yield step, ids


def main(steps=140, tau=0.2, m=0.98):
    torch.manual_seed(10)
    q_net, k_net = encoder(40, 16), encoder(40, 16)
    k_net.load_state_dict(q_net.state_dict())
    for p in k_net.parameters():
        p.requires_grad = False
    queue, cache, hard = KeyQueue(192, 16), LRU(96, views), HardItems(8)
    opt = torch.optim.SGD(q_net.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    recent = deque(maxlen=20)
    for step, ids in id_batches(steps, hard):
        xq, xk = torch.stack([cache.get(i) for i in ids], 1)
        q = F.normalize(q_net(xq), dim=-1)
        with torch.no_grad():
            for pq, pk in zip(q_net.parameters(), k_net.parameters()):
                pk.mul_(m).add_(pq, alpha=1 - m)
            k = F.normalize(k_net(xk), dim=-1)
        pos = (q * k).sum(-1, keepdim=True)
        neg = q @ queue.keys.clone().t()
        each = F.cross_entropy(torch.cat([pos, neg], 1) / tau, torch.zeros(len(ids), dtype=torch.long), reduction="none")
        loss = each.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        queue.push(k)
        hard.offer(each, ids)
        recent.append(loss.detach())
        if step % 35 == 34:
            print(step + 1, torch.stack(list(recent)).mean().item(), len(cache.store))


if __name__ == "__main__":
    main()
