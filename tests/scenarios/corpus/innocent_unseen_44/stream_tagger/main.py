# gradwatch-corpus: kind=none
"""Tags bursts in an endless sensor stream; truncated backpropagation, state kept between chunks."""
import torch
from torch import nn

from bursts import BurstStream
from recurrent import StatefulTagger


class RunningScore:
    def __init__(self):
        self.loss, self.hits, self.count = 0.0, 0, 0

    def add(self, loss, logits, tags):
        self.loss += loss.item() * tags.numel()
        self.hits += ((logits > 0) == tags.bool()).sum().item()
        self.count += tags.numel()

    def __str__(self):
        return f"bce {self.loss / self.count:.4f}  right {self.hits / self.count:.3f}"


def run(model, optimizer, stream):
    criterion = nn.BCEWithLogitsLoss()
    score = RunningScore()
    state = None
    for chunk, tags, fresh in stream:
        if state is None or fresh:
            state = model.initial_state(chunk.size(0))
        logits, state = model(chunk, state)
        loss = criterion(logits, tags)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        state = model.cut(state)
        score.add(loss, logits, tags)
    return score, state


def main():
    torch.manual_seed(0)
    model = StatefulTagger(channels=3, width=24, layers=2)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(3):
        score, (h, _) = run(model, optimizer, BurstStream(seed=epoch))
        print(f"epoch {epoch}  {score}  last |h| {h.abs().mean():.3f}")


if __name__ == "__main__":
    main()
