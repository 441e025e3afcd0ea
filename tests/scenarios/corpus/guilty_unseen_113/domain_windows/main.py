# gradwatch-corpus: kind=graph-held
# holder: self._windows | self.board._windows | board._windows | callback.board._windows | self._windows[key] | cb.board._windows | self.board._windows[key] | trainer.callbacks[0].board._windows
# first-bad: 1
# notice: 8
"""Speaker-emotion classifier trained on three recording domains in turn."""
import torch

from toolkit.callbacks import BoardCallback, Printer
from toolkit.model import EmotionNet
from toolkit.synth import Domains
from toolkit.trainer import Trainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    trainer = Trainer(EmotionNet(24, 4), lr=4e-3, callbacks=[BoardCallback(keep=4), Printer(every=6)])
    trainer.fit(Domains(("studio", "phone", "street")), epochs=25, rounds=4)


if __name__ == "__main__":
    main()
