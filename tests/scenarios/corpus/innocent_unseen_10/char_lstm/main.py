# gradwatch-corpus: kind=none
"""Character LSTM for the NLP course, truncated backpropagation through time over one long text made by a small grammar.
The model remembers its own state from chunk to chunk."""
import math

import torch
import torch.nn.functional as F

from corpus import Corpus
from model import StatefulLSTM

torch.manual_seed(1111)

BPTT = 16
BATCH = 8
STEPS = 300


def evaluate(model, data, limit=20):
    keep = model.swap_state(None)
    model.eval()
    total = n = 0
    with torch.no_grad():
        for k, (x, y) in enumerate(data):
            if k == limit:
                break
            total += F.cross_entropy(model(x).flatten(0, 1), y.flatten()) * y.numel()
            n += y.numel()
    model.train()
    model.swap_state(keep)
    return (total / n).item()


def sample(model, corpus, n=60):
    keep = model.swap_state(None)
    out, x = [], torch.zeros(1, 1, dtype=torch.long)
    with torch.no_grad():
        for _ in range(n):
            p = F.softmax(model(x)[-1, 0] / 0.8, 0)
            x = torch.multinomial(p, 1).view(1, 1)
            out.append(corpus.chars[x.item()])
    model.swap_state(keep)
    return "".join(out)


def main():
    corpus = Corpus(seed=5, sentences=3000)
    model = StatefulLSTM(len(corpus.chars), 24, 48)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    train = corpus.chunks("train", BATCH, BPTT, forever=True)
    running = None
    for step in range(STEPS):
        x, y = next(train)
        logits = model(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        running = loss.detach() if running is None else torch.lerp(running, loss.detach(), 0.03)
        if step % 75 == 74:
            valid = evaluate(model, corpus.chunks("valid", BATCH, BPTT))
            print(f"step {step + 1}  train ppl {math.exp(running.item()):.2f}  valid ppl {math.exp(valid):.2f}  "
                  f"| {sample(model, corpus)}")


if __name__ == "__main__":
    main()
