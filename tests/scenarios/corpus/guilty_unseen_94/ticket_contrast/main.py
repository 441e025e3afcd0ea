# gradwatch-corpus: kind=graph-chain
# holder: self.keys | bank.keys | self.bank.keys | learner.bank.keys
# first-bad: 61
# notice: 5
"""Support-ticket routing: supervised warm-up, then an additional contrastive
term against a bank of recent ticket embeddings."""
import torch

from data import TicketMaker
from encoder import TicketEncoder
from learner import Learner
from memory_bank import KeyBank

torch.set_num_threads(1)
torch.manual_seed(31)

WARMUP = 60
TOTAL = 230


def main():
    tickets = TicketMaker(vocab=160, topics=4)
    enc = TicketEncoder(vocab=160, dim=16, topics=4)
    learner = Learner(enc, KeyBank(dim=16, size=96), warmup=WARMUP)

    seen, hit = 0, 0
    for step in range(TOTAL):
        a, b, label = tickets.batch(24)
        out = learner.step(step, a, b, label)
        hit += out["correct"]
        seen += label.numel()
        if step % 46 == 45:
            print(f"step {step + 1:3d}  ce={out['ce']:.4f}  nce={out['nce']:.4f}  acc={hit / seen:.3f}")
            seen = hit = 0


if __name__ == "__main__":
    main()
