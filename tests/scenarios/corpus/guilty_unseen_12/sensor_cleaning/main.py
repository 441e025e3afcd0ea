# gradwatch-corpus: kind=graph-held
# holder: self.rejected | trainer.rejected | self.rejected[i].__traceback__ | trainer.rejected[i].__traceback__ | err | err.__traceback__
# first-bad: 4
# notice: 20
"""Denoising of vibration sensors (student project, winter term). Batches in which a sensor spikes are refused,
clipped, and tried again."""
import torch

from stream import VibrationStream
from trainer import Trainer
from model import ConvDenoiser

SETTINGS = {
    "length": 96,
    "channels": 3,
    "batch_size": 16,
    "spike_every": 4,
    "steps": 320,
    "lr": 2e-3,
    "max_loss": 25.0,
}


def main(cfg=SETTINGS):
    torch.manual_seed(11)
    torch.set_num_threads(1)
    stream = VibrationStream(cfg["channels"], cfg["length"], cfg["batch_size"], cfg["spike_every"])
    trainer = Trainer(ConvDenoiser(cfg["channels"]), lr=cfg["lr"], max_loss=cfg["max_loss"])
    trainer.fit(stream.batches(cfg["steps"]))
    trainer.report()


if __name__ == "__main__":
    main()
