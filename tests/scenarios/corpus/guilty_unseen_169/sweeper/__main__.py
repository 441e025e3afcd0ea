# gradwatch-corpus: kind=graph-held
# holder: self.pending | SINK.pending | scalars.SINK.pending | v | value
# first-bad: 51
# notice: 8
import torch

from .scalars import SINK
from .trial import run_trial

torch.set_num_threads(1)
torch.manual_seed(111)

SPACE = [
    {"cell": "rnn", "lr": 1e-2, "trace": False},
    {"cell": "gru", "lr": 3e-2, "trace": False},
    {"cell": "gru", "lr": 1e-2, "trace": True},
    {"cell": "lstm", "lr": 1e-2, "trace": True},
]


def main():
    board = []
    for number, cfg in enumerate(SPACE):
        board.append((run_trial(number, cfg, steps=25), cfg))
    for score, cfg in sorted(board, key=lambda t: t[0]):
        print(f"{score:.4f} {cfg}")
    print("scalars written:", len(SINK.flush()))


if __name__ == "__main__":
    main()
