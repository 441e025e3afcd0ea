# gradwatch-corpus: kind=none
"""Ad conversion model with late feedback: a batch's labels come in some ticks after its prediction was served."""
import torch

from desk import FeedbackDesk
from traffic import Traffic
from model import HashedLogit


def main(ticks=500):
    torch.set_num_threads(1)
    torch.manual_seed(31)
    traffic = Traffic(fields=5, buckets=64, batch=24)
    model = HashedLogit(fields=5, buckets=64)
    opt = torch.optim.SGD(model.parameters(), lr=0.5)
    desk = FeedbackDesk()
    total, n = 0.0, 0
    for tick in range(ticks):
        ids, converted, wait = traffic.serve(tick)
        desk.await_labels(tick + wait, model(ids), converted)
        opt.zero_grad()
        for scores, labels in desk.arrived(tick):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(scores, labels)
            loss.backward()
            total += loss.item()
            n += 1
        opt.step()
        if (tick + 1) % 100 == 0:
            print(f"tick {tick + 1}: log loss {total / max(n, 1):.4f}, {len(desk)} batches still waiting")
            total, n = 0.0, 0


if __name__ == "__main__":
    main()
