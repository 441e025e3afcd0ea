# gradwatch-corpus: kind=second-backward
# holder: loss | batch_loss
# first-bad: 37
# notice: 0
import functools
import logging

import torch

torch.set_num_threads(1)
import torch.nn as nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("ocr")
torch.manual_seed(66)


class Transient(Exception):
    pass


def retry(times, on=Transient, before=None):
    def wrap(fn):
        @functools.wraps(fn)
        def call(*args, **kwargs):
            for attempt in range(times):
                try:
                    return fn(*args, **kwargs)
                except on as e:
                    log.info("attempt %d of %s: %s", attempt + 1, fn.__name__, e)
                    if before:
                        before(*args)
            raise RuntimeError(f"{fn.__name__} gave up")
        return call
    return wrap


class Calibrator(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 5, 3, stride=2)
        self.fc = nn.Linear(5 * 9, 1)

    def forward(self, glyph):
        return self.fc(torch.relu(self.conv(glyph)).flatten(1)).squeeze(1)


class Session:
    limit = 40.0

    def __init__(self):
        self.net = Calibrator()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.02)

    def soften(self, *_):
        self.limit *= 4
        self.opt.zero_grad()

    @retry(3, before=lambda s, *a: s.soften())  # <- culprit
    def apply(self, batch_loss):
        batch_loss.backward()  # <- culprit
        norm = nn.utils.get_total_norm([p.grad for p in self.net.parameters()])
        if norm > self.limit:
            raise Transient(f"gradient norm {norm:.1f} over {self.limit:.1f}")
        self.opt.step()
        self.opt.zero_grad()

    def feed(self, glyph, readable):
        loss = nn.functional.mse_loss(self.net(glyph), readable)
        self.apply(loss)
        return loss.item()


session = Session()
for page in range(260):
    ink = 60.0 if page == 37 else 1.0
    g = torch.rand(8, 1, 8, 8) * ink
    last = session.feed(g, (g.mean((1, 2, 3)) > 0.5).float())
print("last", last)
