# gradwatch-corpus: kind=graph-held
# holder: self.curves | recorder.curves | trainer.callbacks[0].curves
# first-bad: 1
import torch

from callbacks import CurveRecorder, EarlyFreeze
from column import FirnColumnNet, draw_depths, heat_residual
from trainer import Trainer


def build():
    torch.manual_seed(33)
    net = FirnColumnNet(width=40)
    groups = [
        {"params": net.trunk.parameters(), "lr": 3e-3},
        {"params": net.head.parameters(), "lr": 1e-3},
    ]
    optimizer = torch.optim.NAdam(groups)
    recorder = CurveRecorder(smooth=8)
    trainer = Trainer(
        net=net,
        optimizer=optimizer,
        sampler=lambda g: draw_depths(g, n=160),
        residual=heat_residual,
        callbacks=[recorder, EarlyFreeze(net.head, after=120)],
    )
    return trainer, recorder


def main():
    trainer, recorder = build()
    trainer.run(iterations=150)
    for name, text in recorder.summary().items():
        print(f"{name:10s} {text}")


if __name__ == "__main__":
    main()
