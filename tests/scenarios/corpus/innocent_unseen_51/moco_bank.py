# gradwatch-corpus: kind=none
# MoCo v2 on synthetic feature vectors: momentum encoder, ring-buffer queue, nearest-neighbour probe.
import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(*sizes):
    out = []
    for a, b in zip(sizes, sizes[1:]):
        out += [nn.Linear(a, b), nn.ReLU()]
    return nn.Sequential(*out[:-1])


class FeatureQueue(nn.Module):
    def __init__(self, size, dim):
        super().__init__()
        self.register_buffer("feats", F.normalize(torch.randn(size, dim), dim=-1))
        self.head, self.size = 0, size

    def snapshot(self):
        return self.feats.clone()

    @torch.no_grad()
    def push(self, new):
        where = (self.head + torch.arange(len(new))) % self.size
        self.feats[where] = new
        self.head = int((self.head + len(new)) % self.size)


class MomentumPair(nn.Module):
    def __init__(self, sizes, m=0.97):
        super().__init__()
        self.online, self.slow = mlp(*sizes), mlp(*sizes)
        self.slow.load_state_dict(self.online.state_dict())
        self.m = m

    def update_slow(self):
        with torch.no_grad():
            for s, o in zip(self.slow.parameters(), self.online.parameters()):
                s.copy_(self.m * s + (1 - self.m) * o)

    def forward(self, a, b):
        q = F.normalize(self.online(a), dim=-1)
        with torch.no_grad():
            k = F.normalize(self.slow(b), dim=-1)
        return q, k


def info_nce(q, k, bank, tau):
    pos = (q * k).sum(-1, keepdim=True)
    logits = torch.cat([pos, q @ bank.t()], dim=-1) / tau
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), logits


class History:
    def __init__(self):
        self.loss, self.rank = [], []

    def add(self, loss, logits):
        self.loss.append(loss.detach())
        self.rank.append((logits > logits[:, :1]).sum(-1).float().mean())

    def tail(self, n):
        return torch.stack(self.loss[-n:]).mean().item(), torch.stack(self.rank[-n:]).mean().item()


def nn_probe(net, x, y):
    with torch.no_grad():
        z = F.normalize(net(x), dim=-1)
        sim = z @ z.t()
        sim.fill_diagonal_(-2)
    return (y[sim.argmax(-1)] == y).float().mean().item()


def run(steps=150, batch=48, tau=0.2):
    torch.manual_seed(19)
    centres = torch.randn(12, 24)
    label = torch.randint(12, (1000,))
    data = centres[label] + 0.8 * torch.randn(1000, 24)
    pair = MomentumPair((24, 64, 64, 16))
    queue = FeatureQueue(768, 16)
    opt = torch.optim.SGD(pair.online.parameters(), lr=0.1, momentum=0.9)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 0.2, total_steps=steps)
    hist = History()
    for i in range(steps):
        x = data[torch.randint(1000, (batch,))]
        q, k = pair(x + 0.3 * torch.randn_like(x), x + 0.3 * torch.randn_like(x))
        loss, logits = info_nce(q, k, queue.snapshot(), tau)
        queue.push(k)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        pair.update_slow()
        hist.add(loss, logits)
        if i % 30 == 29:
            l, r = hist.tail(30)
            print(f"{i + 1}: loss {l:.3f} rank {r:.1f} 1nn {nn_probe(pair.slow, data[:300], label[:300]):.3f}")


if __name__ == "__main__":
    run()
