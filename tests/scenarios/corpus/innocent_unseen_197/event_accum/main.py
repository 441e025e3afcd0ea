# gradwatch-corpus: kind=none
import logging
import sys
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

from events import Bus, Event, Kind, Watchlist
from profiling import profiled

log = logging.getLogger("accum")


@dataclass
class Options:
    micro_steps: int = 2050
    accumulate: int = 5
    batch: int = 10
    lr: float = 3e-3


class MemoryLog(logging.Handler):
    def __init__(self):
        super().__init__()
        self.records = []

    def emit(self, record):
        self.records.append(record)


class TagNet(nn.Module):
    def __init__(self, vocab=30, dim=12, tags=4):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.conv = nn.Conv1d(dim, 16, 3, padding=1)
        self.out = nn.Conv1d(16, tags, 1)

    @profiled
    def forward(self, tokens):
        return self.out(F.relu(self.conv(self.embed(tokens).transpose(1, 2))))


class Accumulator:
    def __init__(self, model, options, bus):
        self.model, self.options, self.bus = model, options, bus
        self.opt = torch.optim.AdamW(model.parameters(), lr=options.lr)
        self.window = torch.zeros(())
        self.last_loss = None
        self.watch = Watchlist()

    def micro(self, i, tokens, tags):
        loss = F.cross_entropy(self.model(tokens), tags) / self.options.accumulate
        loss.backward()
        self.window += loss.detach()
        self.last_loss = loss
        self.watch.add(loss)
        self.bus.publish(Event(Kind.MICRO, i, {"loss": loss.detach()}))
        if (i + 1) % self.options.accumulate == 0:
            self.flush(i)

    def flush(self, i):
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        mean, self.window = self.window, torch.zeros(())
        log.debug("update %d loss %.4f", i, mean.item())
        self.bus.publish(Event(Kind.UPDATE, i, {"loss": mean, "alive": self.watch.alive()}))


def corpus(options, seed=50):
    g = torch.Generator().manual_seed(seed)
    lexicon = torch.randint(4, (30,), generator=g)
    for i in range(options.micro_steps):
        tokens = torch.randint(30, (options.batch, 14), generator=g)
        yield i, tokens, (lexicon[tokens] + lexicon[tokens.roll(1, 1)]) % 4


def main():
    torch.manual_seed(8)
    memory = MemoryLog()
    log.setLevel(logging.DEBUG)
    log.addHandler(memory)
    log.propagate = False
    options, bus = Options(), Bus()

    @bus.listen(Kind.UPDATE)
    def progress(event):
        if event.step % 500 == 499:
            print(event.step, round(event.data["loss"].item(), 4), event.data["alive"], file=sys.stdout)

    trainer = Accumulator(TagNet(), options, bus)
    for i, tokens, tags in corpus(options):
        trainer.micro(i, tokens, tags)
    print(memory.records[-1].getMessage(), len(bus.journal), len(TagNet.forward.calls))


if __name__ == "__main__":
    main()
