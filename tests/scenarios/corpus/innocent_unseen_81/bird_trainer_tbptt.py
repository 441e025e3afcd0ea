# gradwatch-corpus: kind=none
"""Continuous dawn-chorus recording, tagged frame by frame with a GRU whose state lives in the trainer."""
import torch
from torch import nn

torch.set_num_threads(1)


class Recording:
    """Endless stream of spectral frames; each bird starts and stops singing on its own."""

    def __init__(self, mics=8, bins=12, birds=3, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.song = torch.rand(birds, bins, generator=self.g) * 2
        self.on = torch.zeros(mics, birds)
        self.mics, self.birds = mics, birds

    def frames(self, n):
        xs, ys = [], []
        for _ in range(n):
            flip = (torch.rand(self.mics, self.birds, generator=self.g) < 0.08).float()
            self.on = (self.on - flip).abs()
            xs.append(self.on @ self.song + 0.8 * torch.randn(self.mics, self.song.shape[1], generator=self.g))
            ys.append(self.on)
        return torch.stack(xs, 1), torch.stack(ys, 1)


class Tagger(nn.Module):
    def __init__(self, bins, birds, hid=24):
        super().__init__()
        self.rnn = nn.GRU(bins, hid, batch_first=True)
        self.out = nn.Linear(hid, birds)

    def forward(self, x, h=None):
        y, h = self.rnn(x, h)
        return self.out(y), h


class Event:
    def __init__(self, **kw):
        self.__dict__.update(kw)


class Trainer:
    def __init__(self, model, opt, source, chunk=6, chain=3):
        self.model, self.opt, self.source = model, opt, source
        self.chunk, self.chain = chunk, chain
        self.h = None
        self.segment = []
        self.subscribers = {}
        self.updates = 0

    def on(self, name):
        def deco(fn):
            self.subscribers.setdefault(name, []).append(fn)
            return fn
        return deco

    def emit(self, name, **kw):
        for fn in self.subscribers.get(name, ()):
            fn(self, Event(**kw))

    def feed(self):
        x, y = self.source.frames(self.chunk)
        logits, self.h = self.model(x, self.h)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, y)
        self.segment.append(loss)
        self.emit("chunk", logits=logits, y=y)
        if len(self.segment) >= self.chain:
            self.learn()

    def learn(self):
        weights = torch.linspace(0.5, 1.0, len(self.segment))
        total = sum(w * l for w, l in zip(weights, self.segment)) / weights.sum()
        self.opt.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.segment.clear()
        self.h = self.h.detach()
        self.updates += 1
        self.emit("update", loss=total)


def main():
    torch.manual_seed(2)
    source = Recording()
    model = Tagger(12, 3)
    trainer = Trainer(model, torch.optim.Adam(model.parameters(), lr=4e-3), source)
    trace, last = [], {}

    @trainer.on("chunk")
    def remember(t, e):
        last["logits"], last["y"] = e.logits, e.y

    @trainer.on("update")
    def record(t, e):
        trace.append(e.loss.item())

    @trainer.on("update")
    def lengthen(t, e):
        if t.updates in (60, 120):
            t.chain += 1

    @trainer.on("update")
    def speak(t, e):
        if t.updates % 30 == 0:
            hit = ((last["logits"] > 0) == (last["y"] > 0.5)).float().mean().item()
            print(f"{t.updates:3d}: loss {sum(trace[-30:]) / 30:.4f} hit {hit:.3f} chain {t.chain}")

    while trainer.updates < 180:
        trainer.feed()


if __name__ == "__main__":
    main()
