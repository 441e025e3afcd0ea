# gradwatch-corpus: kind=none
"""Span tagger whose auxiliary objective is undefined for some batches; every alarm is kept."""
import torch

from alarms import AlarmBook, Undefined
from spans import SpanTagger, fake_batch, span_margin


def train(n_iter=400):
    torch.set_num_threads(1)
    torch.manual_seed(31)
    model = SpanTagger(vocab=50, dim=16, labels=3)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    book = AlarmBook()
    ce = torch.nn.CrossEntropyLoss()

    for it in range(n_iter):
        words, labels = fake_batch(it)
        logits = model(words)
        loss = ce(logits.flatten(0, 1), labels.flatten())
        try:
            loss = loss + 0.2 * span_margin(logits, labels)
        except Undefined as err:
            book.file(it, err)

        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 80 == 0:
            print(f"{it:3d} loss {loss.item():.3f} alarms {len(book)}")
    print(book)


if __name__ == "__main__":
    train()
