"""A language model on a long text, backpropagated a limited number of steps.

From seeds/000, the answer's last question: "Could you just backprop a limit number of
steps?" The hidden state goes on from window to window, detached, so no window's graph
reaches into the one before.

When run: healthy. A window of sixteen steps has the same nodes for ever.
"""

import argparse
from itertools import count, islice

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line


class CharModel(nn.Module):
    def __init__(self, n_chars, dim):
        super().__init__()
        self.embed = nn.Embedding(n_chars, dim)
        self.lstm = nn.LSTM(dim, dim)
        self.readout = nn.Linear(dim, n_chars)

    def forward(self, chars, hidden):
        out, hidden = self.lstm(self.embed(chars), hidden)
        return self.readout(out), hidden


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
    iterations = parser.parse_args().iterations

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    n_chars, batch, window = 64, 32, 16
    text = torch.randint(1, 4, (10_001, batch), device=device).cumsum(0) % n_chars
    model = CharModel(n_chars, 64).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    hidden = None
    for i in islice(count(), iterations or None):
        start = i * window % (len(text) - 1)
        chars, following = text[start : start + window], text[start + 1 : start + window + 1]
        if hidden is not None:
            hidden = tuple(h.detach() for h in hidden)
        scores, hidden = model(chars, hidden)
        loss = criterion(scores.flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if i % 100 == 0:
            print(f"window {i}: loss {loss.item():.4f}", flush=True)


if __name__ == "__main__":
    main()
