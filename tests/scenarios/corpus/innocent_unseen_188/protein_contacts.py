# gradwatch-corpus: kind=none
"""Contact-map prediction on toy chains; a bounded queue feeds the structure reviewer."""
import itertools
import queue

import torch
import torch.nn as nn
import torch.nn.functional as F


class ContactNet(nn.Module):
    def __init__(self, aa=8, dim=16):
        super().__init__()
        self.emb = nn.Embedding(aa, dim)
        self.mix = nn.Conv1d(dim, dim, 5, padding=2)
        self.sep = nn.Embedding(24, 1)
        self.bil = nn.Parameter(0.1 * torch.randn(dim, dim))

    def forward(self, seq):
        h = torch.relu(self.mix(self.emb(seq).transpose(1, 2))).transpose(1, 2)
        n = seq.shape[1]
        idx = torch.arange(n)
        sep = self.sep((idx[:, None] - idx[None, :]).abs()).squeeze(-1)
        score = h @ self.bil @ h.transpose(1, 2)
        return 0.5 * (score + score.transpose(1, 2)) + sep


class ReviewQueue:
    def __init__(self, room):
        self.pending = queue.PriorityQueue(maxsize=room)
        self.ticket = itertools.count()
        self.dropped = 0

    def submit(self, score, contact_map):
        item = (score, next(self.ticket), contact_map)
        if self.pending.full():
            lowest = self.pending.get_nowait()
            item = max(lowest, item)
            self.dropped += 1
        self.pending.put_nowait(item)

    def drain(self):
        maps = []
        while not self.pending.empty():
            maps.append(self.pending.get_nowait())
        return maps


def chains(gen, n=6, length=24):
    seq = torch.randint(0, 8, (n, length), generator=gen)
    charge = torch.tensor([1.0, -1.0, 0.5, -0.5, 0, 0, 0, 0])[seq]
    attract = -(charge[:, :, None] * charge[:, None, :])
    idx = torch.arange(length)
    far = (idx[:, None] - idx[None, :]).abs() >= 3
    return seq, ((attract > 0.2) & far).float()


def main():
    torch.manual_seed(70)
    gen = torch.Generator().manual_seed(71)
    net = ContactNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    reviews = ReviewQueue(room=15)
    for step in range(1, 481):
        seq, contact = chains(gen)
        logits = net(seq)
        loss = F.binary_cross_entropy_with_logits(logits, contact)
        opt.zero_grad()
        loss.backward()
        opt.step()
        reviews.submit(loss.item(), logits)
        if step % 160 == 0:
            worst = reviews.drain()
            prec = [((m > 0).float().mean()).item() for _, _, m in worst]
            print(step, f"loss {loss.item():.3f} reviewed {len(worst)} density {sum(prec) / len(prec):.3f} dropped {reviews.dropped}")


if __name__ == "__main__":
    main()
