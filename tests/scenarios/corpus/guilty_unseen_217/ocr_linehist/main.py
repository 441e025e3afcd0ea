# gradwatch-corpus: kind=graph-held
# holder: self.records["ctc"] | recorder.records["ctc"] | self.records
# first-bad: 1
import torch

from callbacks import Console, MetricsRecorder
from events import EventBus
from lines import LineGenerator
from recognizer import CRNN
from loop import fit

ALPHABET = "0123456789-/"


def main():
    torch.manual_seed(77)
    bus = EventBus()
    recorder = MetricsRecorder(keys=("ctc", "width"))
    bus.attach(recorder)
    bus.attach(Console(recorder, every=40))
    gen = LineGenerator(len(ALPHABET), height=16, batch=8)
    model = CRNN(n_classes=len(ALPHABET) + 1, height=16)
    fit(model, gen, bus, steps=80, lr=3e-3)
    print("best ctc:", round(recorder.best("ctc"), 3))


if __name__ == "__main__":
    main()
