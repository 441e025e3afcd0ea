# gradwatch-corpus: kind=graph-chain
# holder: self.memory | block.memory | model.block.memory | self.block.memory
# first-bad: 1
# notice: 5
import math

import torch
import torch.nn.functional as F

from .corpus import CHARS, segments
from .model import CharLM
from .optim import SignMomentum


def main(steps=80, streams=4, seg=12):
    torch.set_num_threads(1)
    torch.manual_seed(14)
    model = CharLM(len(CHARS), dim=20, mem=12)
    opt = SignMomentum(model.parameters(), lr=2e-3)
    total = 0.0
    for step, (inp, tgt) in zip(range(steps), segments(streams, seg)):
        logits = model(inp)
        loss = F.cross_entropy(logits.flatten(0, 1), tgt.flatten())
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        total += loss.item()
        if (step + 1) % 20 == 0:
            print(f"step {step + 1}: {total / 20 / math.log(2):.3f} bits per char")
            total = 0.0


if __name__ == "__main__":
    main()
