# gradwatch-corpus: kind=none
"""Step-by-step river discharge model, trained by windows of eight days."""
import argparse

import torch

from core.cell import DischargeCell
from core.window import Window


def climate(n_basins):
    """Endless daily (rain, temperature) with the discharge they cause."""
    store, day = torch.zeros(n_basins), 0
    while True:
        season = torch.sin(torch.tensor(day * 0.017))
        rain = torch.relu(torch.randn(n_basins) + 0.3 * season)
        temp = season + 0.2 * torch.randn(n_basins)
        store = 0.9 * store + rain - 0.05 * temp.clamp(min=0)
        yield torch.stack([rain, temp], -1), (0.1 * store).clamp(min=0)
        day += 1


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--days", type=int, default=264)
    ap.add_argument("--window", type=int, default=8)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)

    cell = DischargeCell(n_in=2, hidden=16)
    opt = torch.optim.Adam(cell.parameters(), lr=5e-3)
    window = Window(args.window, opt)
    state, days = cell.start(12), climate(12)
    history = []
    for day in range(args.days):
        forcing, discharge = next(days)
        estimate, state = cell(forcing, state)
        closed = window.add((estimate - discharge).pow(2).mean())
        if closed is not None:
            history.append(closed)
            state = cell.cut(state)
    print(f"{len(history)} windows, mse {history[0]:.4f} -> {history[-1]:.4f}")


if __name__ == "__main__":
    main()
