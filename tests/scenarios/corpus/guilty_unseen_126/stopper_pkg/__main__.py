# gradwatch-corpus: kind=graph-held
# holder: stopper.scores | self.scores
# first-bad: 5
# notice: 8
import torch

torch.set_num_threads(1)

from .data import make_split
from .stopping import EarlyStopping
from .engine import train_one, validate
from torch import nn


def main():
    torch.manual_seed(3)
    train, val = make_split()
    net = nn.Sequential(nn.Conv1d(1, 4, 5, padding=2), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(16, 3))
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    stopper = EarlyStopping(patience=1000, delta=1e-3)
    step = 0
    while step < 600:
        train_one(net, opt, train)
        step += 1
        if step % 5 == 0:
            stopper(validate(net, val), net)
            if stopper.should_stop:
                break
    net.load_state_dict(stopper.best_weights)
    print("done", step, "best", float(stopper.best))


main()
