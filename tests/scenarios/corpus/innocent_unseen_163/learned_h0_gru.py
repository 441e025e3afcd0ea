# gradwatch-corpus: kind=none
"""Seq2seq copy task; the decoder's initial state is a trainable parameter mixed with the encoder summary."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)

VOCAB, SOS = 10, 0


class Encoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)
        self.h0 = nn.Parameter(torch.zeros(1, 1, hidden))

    def init_state(self, batch):
        return self.h0.expand(-1, batch, -1).contiguous()

    def forward(self, x):
        out, h = self.gru(self.emb(x), self.init_state(x.size(0)))
        return out, h


class Decoder(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, hidden)
        self.cell = nn.GRUCell(2 * hidden, hidden)
        self.start = nn.Parameter(0.01 * torch.randn(hidden))
        self.out = nn.Linear(hidden, VOCAB)
        self.hidden = None
        self.memory = None

    def begin(self, memory, summary):
        self.memory = memory
        self.hidden = summary[0] + self.start

    def step(self, token):
        score = torch.einsum("bth,bh->bt", self.memory, self.hidden).softmax(1)
        ctx = torch.einsum("bt,bth->bh", score, self.memory)
        self.hidden = self.cell(torch.cat([self.emb(token), ctx], 1), self.hidden)
        return self.out(self.hidden)


class Seq2Seq(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.encoder, self.decoder = Encoder(hidden), Decoder(hidden)

    def forward(self, src, tgt, teacher=0.7):
        self.decoder.begin(*self.encoder(src))
        tok = torch.full((src.size(0),), SOS)
        logits = []
        for t in range(tgt.size(1)):
            step = self.decoder.step(tok)
            logits.append(step)
            tok = tgt[:, t] if torch.rand(()) < teacher else step.argmax(1)
        return torch.stack(logits, 1)


def main():
    model = Seq2Seq()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    losses = []
    for it in range(120):
        src = torch.randint(1, VOCAB, (24, 6))
        tgt = src.flip(1)
        logits = model(src, tgt)
        loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        losses.append(loss.item())
        if it % 20 == 19:
            acc = (logits.argmax(-1) == tgt).float().mean().item()
            print(f"it {it} loss {sum(losses[-20:]) / 20:.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
