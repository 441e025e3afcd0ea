# gradwatch-corpus: kind=graph-chain
# holder: self.state | model.state | lm.state | new_state
# first-bad: 1
# notice: 5
# also: retain-needless
"""Adapt a frozen character LM to a new "domain" by training only an input adapter."""
import math
import random

import torch
import torch.nn.functional as F

from corpus import StreamBatcher, make_text
from lm import AdaptedLM, CharLM

torch.set_num_threads(1)
BPTT, BATCH = 12, 8


def train_epoch(lm, stream, opt, log_every=25):
    lm.train()
    lm.reset_state(BATCH)
    total, count = 0.0, 0
    for i, (x, y) in enumerate(stream):
        logits = lm(x)
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(lm.adapter.parameters(), 1.0)
        opt.step()
        total += loss.item()
        count += 1
        if i % log_every == 0:
            print(f"  step {i:3d}  ppl {math.exp(total / count):.2f}")
    return total / count


@torch.no_grad()
def evaluate(lm, stream):
    lm.eval()
    lm.reset_state(BATCH)
    losses = [F.cross_entropy(lm(x).flatten(0, 1), y.flatten()).item() for x, y in stream]
    return sum(losses) / len(losses)


def main():
    torch.manual_seed(0)
    rng = random.Random(0)
    text, vocab = make_text(rng, 9200)
    valid, _ = make_text(rng, 1000)
    base = CharLM(len(vocab), emb=16, hidden=24)
    lm = AdaptedLM(base)
    opt = torch.optim.AdamW(lm.adapter.parameters(), lr=3e-3)
    train = StreamBatcher(text, vocab, BATCH, BPTT)
    dev = StreamBatcher(valid, vocab, BATCH, BPTT)
    print("batches per epoch:", len(train))
    tr = train_epoch(lm, train, opt)
    va = evaluate(lm, dev)
    print(f"train {tr:.3f}  valid {va:.3f}")


if __name__ == "__main__":
    main()
