# gradwatch-corpus: kind=none
import sys
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    __package__ = "moco_birdsong"
    import moco_birdsong  # noqa: F401

import torch

from .audio import clip_pairs, species_bank
from .encoder import MomentumPair
from .keyqueue import KeyQueue
from .report import Callbacks, Printer, Recorder


def main():
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(14)
    bank = species_bank(20, 64, gen)
    pair = MomentumPair(64, 16)
    queue = KeyQueue(16, 256)
    opt = torch.optim.SGD(pair.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    recorder = Recorder()
    callbacks = Callbacks([recorder, Printer(every=100)])
    for step in range(450):
        a, b = clip_pairs(bank, 32, gen)
        q = pair.encode_query(a)
        k = pair.encode_key(b)
        loss, logits = queue.info_nce(q, k)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pair.drift(0.99)
        queue.push(k)
        callbacks.fire("on_step", step=step, loss=loss, logits=logits)
    print("best accuracy", recorder.best)


if __name__ == "__main__":
    main()
