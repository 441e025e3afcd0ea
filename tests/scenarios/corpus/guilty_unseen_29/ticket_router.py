# gradwatch-corpus: kind=inplace-modified
# first-bad: 23
import math
import torch
import torch.nn as nn
import torch.nn.functional as F

PAD = 0


class SingleHead(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q = nn.Linear(d, d)
        self.k = nn.Linear(d, d)
        self.v = nn.Linear(d, d)

    def forward(self, x, pad):
        # x: B T d, pad: B T (True where there is no token)
        att = self.q(x) @ self.k(x).transpose(1, 2) / math.sqrt(x.size(-1))
        att = att.softmax(dim=-1)
        if pad.any():
            att[pad.unsqueeze(1).expand_as(att)] = 0.0  # <- culprit
        return att @ self.v(x)


class TicketRouter(nn.Module):
    """Which desk gets this support ticket?"""

    def __init__(self, vocab, d, desks, max_len):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(torch.randn(max_len, d) * 0.02)
        self.att = SingleHead(d)
        self.norm = nn.LayerNorm(d)
        self.out = nn.Linear(d, desks)

    def forward(self, tokens):
        x = self.tok(tokens) + self.pos[: tokens.size(1)]
        x = self.norm(x + self.att(x, tokens == PAD))
        return self.out(x.mean(1))


def ticket_files():
    """File by file, as exported; tickets within a file were cut to one length, up to the last."""
    yield from ({"n": 24, "len": (10, 10)} for _ in range(23))
    yield from ({"n": 24, "len": (4, 10)} for _ in range(60))


def collate(spec, vocab, desks):
    desk = torch.randint(desks, (spec["n"],))
    lo, hi = spec["len"]
    rows = []
    for d in desk.tolist():
        length = int(torch.randint(lo, hi + 1, ()))
        words = 1 + (d * 11 + torch.randint(9, (length,))) % (vocab - 1)
        rows.append(F.pad(words, (0, hi - length), value=PAD))
    return torch.stack(rows), desk


def main():
    torch.manual_seed(31)
    vocab, desks = 70, 6
    model = TicketRouter(vocab, 16, desks, max_len=10)
    opt = torch.optim.RAdam(model.parameters(), lr=3e-3)
    for step, spec in enumerate(ticket_files()):
        tokens, desk = collate(spec, vocab, desks)
        opt.zero_grad()
        loss = F.cross_entropy(model(tokens), desk)
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print('step', step, 'loss', '%.4f' % loss.item())


if __name__ == '__main__':
    main()
