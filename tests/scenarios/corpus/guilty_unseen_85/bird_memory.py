# gradwatch-corpus: kind=inplace-modified
# holder: memory.keys | self.keys
# first-bad: 60
# notice: 0
"""Bird-call embeddings with a fixed-size memory of negatives.

The curriculum walks one batch at a time first, later the losses of several
batches together (the large stages need calmer gradients).
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(41)

SPECIES, BANDS, DIM = 12, 32, 16
STAGES = [  # (optimizer steps, batches per step, noise)
    (60, 1, 0.2),
    (60, 2, 0.3),
    (60, 4, 0.4),
]


class NegativeMemory:
    """A ring of unit vectors, oldest overwritten first."""

    def __init__(self, size):
        self.keys = F.normalize(torch.randn(size, DIM), dim=1)
        self.ptr = 0

    def __len__(self):
        return len(self.keys)

    def push(self, keys):
        keys = keys.detach()
        end = self.ptr + len(keys)
        self.keys[self.ptr:end] = keys  # <- culprit
        self.ptr = end % len(self)


class CallNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(BANDS, 40), nn.LeakyReLU(0.1), nn.Linear(40, DIM))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def sing(proto, n, noise):
    who = torch.randint(0, SPECIES, (n,))
    shift = 1 + 0.1 * torch.randn(n, 1)
    return proto[who] * shift + noise * torch.randn(n, BANDS), \
        proto[who] + noise * torch.randn(n, BANDS)


def contrast(q, k, memory, temp=0.2):
    pos = (q * k).sum(1, keepdim=True)
    neg = q @ memory.keys.t()  # <- culprit
    logits = torch.cat([pos, neg], 1) / temp
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def main():
    proto = torch.randn(SPECIES, BANDS)
    query, key = CallNet(), CallNet()
    key.load_state_dict(query.state_dict())
    for p in key.parameters():
        p.requires_grad_(False)
    memory = NegativeMemory(128)
    opt = torch.optim.SGD(query.parameters(), lr=0.05, momentum=0.9)
    for stage, (steps, group, noise) in enumerate(STAGES):
        running = 0.0
        for _ in range(steps):
            losses = []
            for _ in range(group):
                a, b = sing(proto, 16, noise)
                k = key(b)
                losses.append(contrast(query(a), k, memory))
                if group > 1:
                    memory.push(k)  # <- culprit
            loss = torch.stack(losses).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            if group == 1:
                memory.push(k)
            with torch.no_grad():
                for pk, pq in zip(key.parameters(), query.parameters()):
                    pk.mul_(0.98).add_(pq, alpha=0.02)
            running += loss.item()
        print(f"stage {stage}: batches per step {group}, loss {running / steps:.4f}")


if __name__ == "__main__":
    main()
