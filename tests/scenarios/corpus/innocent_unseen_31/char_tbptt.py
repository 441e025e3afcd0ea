# gradwatch-corpus: kind=none
"""Character LM over a generated recipe book; truncated BPTT with a stateful LSTM."""
import random

import torch
import torch.nn as nn

VERBS = ["whisk", "fold", "simmer", "chop", "roast"]
NOUNS = ["the leeks", "two eggs", "some butter", "the stock", "a shallot"]
ADVERBS = ["gently", "twice", "for ten minutes", "until golden"]


def cookbook(n, rng):
    return " ".join(f"{rng.choice(VERBS)} {rng.choice(NOUNS)} {rng.choice(ADVERBS)}." for _ in range(n))


def batchify(ids, bsz):
    n = ids.numel() // bsz
    return ids[: n * bsz].view(bsz, n).t().contiguous()


def repackage(h):
    if isinstance(h, torch.Tensor):
        return h.detach()
    return tuple(repackage(v) for v in h)


class CharLM(nn.Module):
    def __init__(self, vocab, emb=24, hid=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, emb)
        self.rnn = nn.LSTM(emb, hid)
        self.dec = nn.Linear(hid, vocab)
        self.hid = hid

    def start(self, bsz):
        z = torch.zeros(1, bsz, self.hid)
        return z, z.clone()

    def forward(self, x, h):
        y, h = self.rnn(self.emb(x), h)
        return self.dec(y), h


class Runner:
    def __init__(self, model, bptt):
        self.model, self.bptt = model, bptt
        self.opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        self.crit = nn.CrossEntropyLoss()
        self.hidden = None
        self.history = []

    def epoch(self, data):
        self.hidden = self.model.start(data.size(1))
        for i in range(0, data.size(0) - 1, self.bptt):
            n = min(self.bptt, data.size(0) - 1 - i)
            x, y = data[i:i + n], data[i + 1:i + 1 + n].reshape(-1)
            self.hidden = repackage(self.hidden)
            out, self.hidden = self.model(x, self.hidden)
            loss = self.crit(out.view(-1, out.size(-1)), y)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
            self.opt.step()
            self.history.append(loss.item())

    @torch.no_grad()
    def sample(self, stoi, itos, seed="w", n=60):
        h = self.model.start(1)
        x, out = torch.tensor([[stoi[seed]]]), [seed]
        for _ in range(n):
            logits, h = self.model(x, h)
            x = logits[-1].softmax(-1).multinomial(1)
            out.append(itos[x.item()])
        return "".join(out)


def main():
    torch.manual_seed(0)
    text = cookbook(350, random.Random(0))
    itos = sorted(set(text))
    stoi = {c: i for i, c in enumerate(itos)}
    data = batchify(torch.tensor([stoi[c] for c in text]), 16)
    runner = Runner(CharLM(len(itos)), bptt=20)
    for ep in range(3):
        runner.epoch(data)
        print(f"epoch {ep} loss {runner.history[-1]:.3f} steps {len(runner.history)}")
    print(runner.sample(stoi, itos))


if __name__ == "__main__":
    main()
