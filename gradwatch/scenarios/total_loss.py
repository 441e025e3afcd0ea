"""A classifier whose epoch report sums the losses themselves.

From seeds/000: `total_loss += loss`, the answer's example of what not to write. The epoch is
one pass over a stream, so the sum grows for as long as the job runs.

When run: no error, and the loss reaches no old graph. But `total_loss` keeps the nodes of
every iteration's graph alive. They are spent (backward freed what they had saved), so the
device's memory hardly moves while the host's climbs.
"""

import argparse
from itertools import islice

import torch
from torch import nn

import gradwatch_agent.auto  # noqa: F401  - the one line


def stream(batch, device):
    """Endless labelled points: the class is the octant of the first three coordinates."""
    powers = torch.tensor([1, 2, 4], device=device)
    while True:
        x = torch.randn(batch, 64, device=device)
        yield x, ((x[:, :3] > 0) * powers).sum(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iterations", type=int, default=0, help="how many; 0: until stopped")
    iterations = parser.parse_args().iterations

    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    layers = [m for _ in range(6) for m in (nn.Linear(128, 128), nn.ReLU())]
    model = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), *layers, nn.Linear(128, 8)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()

    total_loss = 0
    batches = islice(stream(64, device), iterations or None)
    for seen, (x, target) in enumerate(batches, 1):
        loss = criterion(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss
        if seen % 100 == 0:
            print(f"{seen} batches: mean loss {total_loss / seen:.4f}", flush=True)


if __name__ == "__main__":
    main()
