# gradwatch-corpus: kind=graph-held
# holder: journal.pending | self.pending | self.journal.pending | self.pending["accuracy"] | self.pending[kind] | makers | callbacks[0].journal.pending['accuracy'] | callbacks[0].journal.pending
# first-bad: 1
# notice: 8
import torch

from callbacks import Callback, EarlyRate, ProgressJournal
from data import LeafTiles
from net import TinyLeafNet


class Loop:
    def __init__(self, net, tiles, callbacks):
        self.net, self.tiles, self.callbacks = net, tiles, callbacks
        self.opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
        self.iteration = 0

    def emit(self, event, **info):
        for cb in self.callbacks:
            getattr(cb, event)(self, **info)

    def run(self, n):
        self.emit("on_start")
        for _ in range(n):
            image, label = self.tiles.draw(16)
            out = self.net(image)
            loss = torch.nn.functional.cross_entropy(out, label, label_smoothing=0.05)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.emit("on_batch", loss=loss, logits=out, label=label)
            self.iteration += 1
        self.emit("on_finish")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(31)
    callbacks: list[Callback] = [ProgressJournal(every=2), EarlyRate(floor=5e-4)]
    Loop(TinyLeafNet(4), LeafTiles(classes=4), callbacks).run(260)
