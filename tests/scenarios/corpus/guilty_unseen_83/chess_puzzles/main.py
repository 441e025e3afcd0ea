# gradwatch-corpus: kind=second-backward
# holder: self._cache | self._cache[theme] | themes._cache | self.themes._cache | model.themes._cache
# first-bad: 5
# notice: 0
# Puzzle difficulty (rating) regression from board planes + tactical theme.
import torch

from board import PuzzleStream
from network import PuzzleRater

torch.set_num_threads(1)


def run(iterations=400, lr=2e-3):
    torch.manual_seed(64)
    stream = PuzzleStream(batch=16)
    model = PuzzleRater(stream.themes)
    optim = torch.optim.Adam(model.parameters(), lr=lr)
    best = float("inf")
    patience = 120
    since = 0
    for it in range(iterations):
        boards, theme, rating = stream.next(it)
        pred = model(boards, theme)
        loss = torch.nn.functional.huber_loss(pred, rating)
        optim.zero_grad()
        loss.backward()
        optim.step()
        value = loss.item()
        if value < best:
            best, since = value, 0
        else:
            since += 1
            if since > patience:
                print("early stop at", it)
                break
        if it % 50 == 0:
            print(f"{it:4d} {theme:>10s} huber {value:.4f} best {best:.4f}")
    return model


if __name__ == "__main__":
    run()
