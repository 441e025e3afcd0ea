# gradwatch-corpus: kind=graph-held
# holder: self._heap | cases._heap | hard_cases._heap | callbacks[1]._heap
# first-bad: 1
# notice: 8
"""Weld-seam inspection: 16x16 grey patches, four defect classes."""
import torch

from wv import data, engine, hooks
from wv.net import PatchNet


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1204)
    train, valid = data.make_split(1600, 300)
    net = PatchNet(classes=len(data.CLASSES))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    hard_cases = hooks.HardCases(show=5)
    callbacks = [hooks.LinearWarmup(base=0.05, steps=40), hard_cases, hooks.Progress(every=50)]
    engine.fit(net, optimizer, train, epochs=5, batch=32, callbacks=callbacks)
    print("valid accuracy %.3f" % engine.accuracy(net, valid))
    for cost, label in hard_cases.worst():
        print("  hard: %-9s loss %.2f" % (data.CLASSES[label], cost))


if __name__ == "__main__":
    main()
