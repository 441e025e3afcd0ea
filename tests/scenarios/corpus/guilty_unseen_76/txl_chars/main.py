# gradwatch-corpus: kind=graph-chain
# holder: mems | new_mems | model.mems | self.mems | mem | cat
# first-bad: 1
# notice: 5
import argparse

import torch
import torch.nn.functional as F

from optim import PlainAdam
from text import SegmentIterator, VOCAB
from txl import MemTransformerLM

torch.set_num_threads(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=70)
    ap.add_argument("--tgt_len", type=int, default=6)
    ap.add_argument("--mem_len", type=int, default=6)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()

    torch.manual_seed(1111)
    model = MemTransformerLM(VOCAB, n_layer=2, d_model=24, n_head=2, mem_len=args.mem_len)
    optimizer = PlainAdam(model.parameters(), lr=args.lr)
    it = SegmentIterator(batch=4, tgt_len=args.tgt_len)

    total = 0.0
    for step, (data, target) in zip(range(args.steps), it):
        model.zero_grad()
        logits = model(data)
        loss = F.cross_entropy(logits.flatten(0, 1), target.flatten())
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
        optimizer.step()
        total += loss.item()
        if (step + 1) % 10 == 0:
            print(f"| step {step + 1:3d} | loss {total / 10:.3f}")
            total = 0.0


if __name__ == "__main__":
    main()
