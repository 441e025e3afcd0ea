# gradwatch-corpus: kind=none
"""Contrastive embedding of bird-call snippets: slow key encoder, queue of keys, replayed anchors."""
import torch

from encoders import make_pair
from memory import MEMORIES
from snippets import Snippets
from trainer import ContrastiveTrainer, Hyper


def main():
    torch.set_num_threads(1)
    h = Hyper()
    torch.manual_seed(h.seed)
    query, key = make_pair(h.bins, h.width)
    memory = {name: MEMORIES[name](**kw) for name, kw in h.memories.items()}
    trainer = ContrastiveTrainer(h, query, key, memory)
    for step, value in trainer.fit(Snippets(h.bins, h.batch, h.seed)):
        if step % 50 == 0:
            print(f"step {step:3d}  loss {value:.4f}  anchors {len(memory['anchors'])}  "
                  f"scale {trainer.scale.item():.3f}")


if __name__ == "__main__":
    main()
