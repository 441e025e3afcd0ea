# gradwatch-corpus: kind=none
"""Segment-recurrent transformer. Gradients run through a window of three segments of memory."""
import argparse

import torch

from model import MemoryLM
from stream import RepeatStream
from trainer import WindowTrainer

torch.set_num_threads(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--windows", type=int, default=160)
    ap.add_argument("--window", type=int, default=3)
    args = ap.parse_args()
    torch.manual_seed(1)
    stream = RepeatStream(vocab=16, batch=8, seg=10, period=13)
    model = MemoryLM(vocab=16, dim=32, depth=2, mem_len=16)
    trainer = WindowTrainer(model, torch.optim.Adam(model.parameters(), lr=2e-3), window=args.window)
    for w in range(args.windows):
        loss = trainer.run_window(stream)
        if w % 20 == 0:
            print(f"window {w:3d} loss {loss:.4f} mem norm {trainer.memory_norm():.2f}")
    print("bits", [round(b, 3) for b in trainer.history[-5:]])


if __name__ == "__main__":
    main()
