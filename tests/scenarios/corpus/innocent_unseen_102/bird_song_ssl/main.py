# gradwatch-corpus: kind=none
"""Self-supervised bird call embeddings: momentum encoder, negatives queue, gradient accumulation."""
import torch

from calls import CallBook
from moco import Moco
from recorders import ProjectionLog

ACCUM, UPDATES = 2, 310


def main():
    torch.set_num_threads(1)
    torch.manual_seed(64)
    book, moco, proj = CallBook(12, 24), Moco(24, 12, queue=96), ProjectionLog(every=5)
    opt = torch.optim.SGD(moco.query.parameters(), lr=0.05, momentum=0.9)
    history = []
    for update in range(UPDATES):
        opt.zero_grad()
        total = torch.zeros(())
        for _ in range(ACCUM):
            a, b, species = book.pairs(16)
            loss, q = moco.loss(a, b)
            (loss / ACCUM).backward()
            total = total + loss.detach() / ACCUM
        opt.step()
        moco.follow()
        history.append(total)
        proj.maybe(update, q, species)
        if update % 62 == 61:
            print(f"{update + 1} loss {torch.stack(history[-62:]).mean().item():.3f} "
                  f"alignment {proj.separation():.3f}")


if __name__ == "__main__":
    main()
