# gradwatch-corpus: kind=inplace-modified
# holder: weights
# first-bad: 30
# notice: 0
import torch
torch.set_num_threads(1)
from model import ReviewScorer
from batches import make_reviews, bucketed

torch.manual_seed(31)


def train(epochs=8):
    corpus = make_reviews(240)
    model = ReviewScorer(vocab=60)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    for epoch in range(epochs):
        # first pass over buckets of equal length, later ones over mixed batches
        seen, total = 0, 0.0
        for ids, pad, stars in bucketed(corpus, bs=8, mixed=epoch > 0):
            opt.zero_grad()
            pred = model(ids, pad)
            loss = torch.nn.functional.smooth_l1_loss(pred, stars)
            loss.backward()
            opt.step()
            total += loss.item() * len(stars)
            seen += len(stars)
        print(f"epoch {epoch} loss {total / seen:.4f}")


if __name__ == "__main__":
    train()
