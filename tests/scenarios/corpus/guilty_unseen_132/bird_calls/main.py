# gradwatch-corpus: kind=crashed
# first-bad: 40
# notice: 0
import torch

torch.set_num_threads(1)

from callset import make_clips
from listen import CallNet, Listener


def run():
    torch.manual_seed(21)
    train, held = make_clips(320), make_clips(64)
    listener = Listener(CallNet(species=5), lr=2e-3)
    for night in range(12):
        tr = listener.fit_night(train, batch=8)
        acc = listener.score(held, batch=16)
        print(f"night {night:2d}  train {tr:.3f}  heldout acc {acc:.2f}")


if __name__ == "__main__":
    run()
