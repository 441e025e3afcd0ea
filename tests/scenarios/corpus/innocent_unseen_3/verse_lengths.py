# gradwatch-corpus: kind=none
# about: loss graph grows tenfold with the curriculum window and stops at 64; the carried state is detached
"""Character model on synthetic verse. The window gets longer as the training goes on."""
import argparse
import itertools
import math

import torch
import torch.nn.functional as F
from torch import nn


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--first", type=int, default=6)
    ap.add_argument("--final", type=int, default=64)
    ap.add_argument("--updates", type=int, default=420)
    ap.add_argument("--ramp", type=int, default=330)
    ap.add_argument("--rows", type=int, default=8)
    return ap.parse_args()


class Scribe(nn.Module):
    def __init__(self, symbols, width=32):
        super().__init__()
        self.table = nn.Embedding(symbols, width)
        self.cell = nn.GRUCell(width, width)
        self.read = nn.Linear(width, symbols)

    def forward(self, glyphs, mood):
        outs = []
        for col in glyphs.unbind(1):
            mood = self.cell(self.table(col), mood)
            outs.append(self.read(mood))
        return torch.stack(outs, 1), mood


def corpus(n=40_000):
    stanza = "o wild west wind thou breath of autumns being; "
    text = "".join(itertools.islice(itertools.cycle(stanza), n))
    letters = sorted(set(text))
    lookup = {c: i for i, c in enumerate(letters)}
    ids = torch.tensor([lookup[c] for c in text])
    noise = torch.rand(n) < .05
    ids[noise] = torch.randint(len(letters), (int(noise.sum()),))
    return ids, len(letters)


def length_at(step, cfg):
    share = min(1.0, step / cfg.ramp)
    return round(cfg.first * math.exp(share * math.log(cfg.final / cfg.first)))


def main():
    cfg = parse()
    torch.manual_seed(3)
    ids, k = corpus()
    scribe = Scribe(k)
    opt = torch.optim.AdamW(scribe.parameters(), lr=6e-3)
    lanes = ids[: len(ids) // cfg.rows * cfg.rows].view(cfg.rows, -1)
    at, mood = 0, torch.zeros(cfg.rows, 32)
    for step in range(cfg.updates):
        span = length_at(step, cfg)
        if at + span + 1 >= lanes.shape[1]:
            at, mood = 0, torch.zeros_like(mood)
        inp, tgt = lanes[:, at:at + span], lanes[:, at + 1:at + span + 1]
        logits, carried = scribe(inp, mood)
        nll = F.cross_entropy(logits.flatten(0, 1), tgt.flatten())
        opt.zero_grad(set_to_none=True)
        nll.backward()
        nn.utils.clip_grad_norm_(scribe.parameters(), 1.0)
        opt.step()
        mood = carried.detach()
        at += span
        if step % 40 == 0:
            print(f"update {step} window {span} nats {nll.item():.3f}")
    print("final window", span, "ppl", round(math.exp(nll.item()), 2))


if __name__ == "__main__":
    main()
