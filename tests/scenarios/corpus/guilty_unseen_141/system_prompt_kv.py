# gradwatch-corpus: kind=second-backward
# holder: past | session.past | self.past | session.past[0]
# first-bad: 1
# notice: 0
"""Train a small decoder to answer behind a fixed system prompt."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Decoder(nn.Module):
    def __init__(self, vocab=24, d=16, depth=2):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.where = nn.Embedding(40, d)
        self.qkv = nn.ModuleList(nn.Linear(d, 3 * d) for _ in range(depth))
        self.mlp = nn.ModuleList(nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d)) for _ in range(depth))

    def forward(self, ids, past=None):
        offset = 0 if past is None else past[0][0].size(1)
        n = ids.size(1)
        x = self.tok(ids) + self.where(torch.arange(offset, offset + n))
        allowed = torch.ones(n, offset + n).tril(offset).bool()
        present = []
        for i, (qkv, mlp) in enumerate(zip(self.qkv, self.mlp)):
            q, k, v = qkv(x).chunk(3, -1)
            if past is not None:
                k = torch.cat([past[i][0].expand(len(ids), -1, -1), k], 1)
                v = torch.cat([past[i][1].expand(len(ids), -1, -1), v], 1)
            present.append((k, v))
            x = x + F.scaled_dot_product_attention(q, k, v, attn_mask=allowed)
            x = x + mlp(x)
        return x @ self.tok.weight.t(), present


class ChatSession:
    def __init__(self, decoder, system):
        self.decoder = decoder
        _, self.past = decoder(system.unsqueeze(0))  # <- culprit

    def nll(self, ids):
        logits, _ = self.decoder(ids[:, :-1], self.past)
        return F.cross_entropy(logits.transpose(1, 2), ids[:, 1:])


def turns(n=8):
    a = torch.randint(4, 24, (n, 3))
    return torch.cat([a, torch.full((n, 1), 1), a], 1)


def main():
    torch.manual_seed(19)
    decoder = Decoder()
    opt = torch.optim.Adam(decoder.parameters(), lr=3e-3)
    session = ChatSession(decoder, torch.tensor([2, 9, 14, 3, 7]))
    for step in range(600):
        opt.zero_grad()
        nll = session.nll(turns())
        nll.backward()
        opt.step()
        if step % 100 == 0:
            print(step, nll.item())


main()
