# gradwatch-corpus: kind=none
"""Character LSTM over a generated grammar; state carries across chunks."""
import argparse
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


def grammar_text(n, seed):
    rng = random.Random(seed)
    nouns = ["fox", "crow", "mole", "hare"]
    verbs = ["saw", "fed", "led"]
    out = []
    while sum(map(len, out)) < n:
        out.append(f"the {rng.choice(nouns)} {rng.choice(verbs)} the {rng.choice(nouns)}. ")
    return "".join(out)[:n]


class CharLM(nn.Module):
    def __init__(self, vocab, hidden):
        super().__init__()
        self.emb = nn.Embedding(vocab, 24)
        self.rnn = nn.LSTM(24, hidden, num_layers=2, batch_first=True)
        self.out = nn.Linear(hidden, vocab)
        self.state = None

    def forward(self, x):
        h, self.state = self.rnn(self.emb(x), self.state)
        return self.out(h)

    def cut(self):
        if self.state is not None:
            self.state = tuple(s.detach() for s in self.state)


def batchify(text, stoi, lanes):
    ids = torch.tensor([stoi[c] for c in text])
    usable = ids.numel() // lanes * lanes
    return ids[:usable].view(lanes, -1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--bptt", type=int, default=16)
    ap.add_argument("--lanes", type=int, default=8)
    ap.add_argument("--hidden", type=int, default=48)
    args = ap.parse_args()
    torch.manual_seed(0)
    text = grammar_text(14000, 1)
    chars = sorted(set(text))
    stoi = {c: i for i, c in enumerate(chars)}
    data = batchify(text, stoi, args.lanes)
    model = CharLM(len(chars), args.hidden)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    running = 0.0
    step = 0
    for start in range(0, data.size(1) - args.bptt - 1, args.bptt):
        x = data[:, start:start + args.bptt]
        y = data[:, start + 1:start + args.bptt + 1]
        model.cut()
        logits = model(x)
        loss = F.cross_entropy(logits.transpose(1, 2), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        running = 0.95 * running + 0.05 * loss.detach()
        step += 1
        if step % 25 == 0:
            print(step, "loss", round(float(running), 3))


if __name__ == "__main__":
    main()
