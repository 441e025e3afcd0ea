# gradwatch-corpus: kind=graph-chain
# holder: self.memory | memory | model.cell.memory | self.cell.memory | trainer.model.cell.memory
# first-bad: 120
# notice: 5
"""Soft-prompt tuning of a frozen recurrent-memory language model on segmented documents."""
import argparse

import torch

from model import MemoryLM
from segments import SegmentStream
from trainer import Trainer


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=250)
    ap.add_argument("--single-segment-steps", type=int, default=120)
    ap.add_argument("--dim", type=int, default=32)
    ap.add_argument("--vocab", type=int, default=40)
    ap.add_argument("--mem-tokens", type=int, default=2)
    ap.add_argument("--prompt-tokens", type=int, default=4)
    ap.add_argument("--lr", type=float, default=3e-3)
    ap.add_argument("--seed", type=int, default=11)
    return ap.parse_args()


if __name__ == "__main__":
    args = parse()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    stream = SegmentStream(args.vocab, batch=8, seg_len=12)
    model = MemoryLM(args.vocab, args.dim, args.mem_tokens, args.prompt_tokens)
    Trainer(model, stream, args).fit()
