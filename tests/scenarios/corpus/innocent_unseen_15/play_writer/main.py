# gradwatch-corpus: kind=none
"""Character model of a (generated) stage play, read in parallel streams with the
recurrent state handed on from one segment to the next."""
import math

import torch

from corpus import Script, Streams
from lstm import StatefulLM


class Loop:
    def __init__(self, model, streams, lr=4e-3):
        self.model = model
        self.streams = streams
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.total = 0.0
        self.seen = 0
        self.curve = []

    def segment(self, x, y, fresh):
        if fresh:
            self.model.forget()
        loss = self.model.loss(x, y)
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.opt.step()
        self.total += loss.item() * y.numel()
        self.seen += y.numel()
        return loss

    def run(self, segments):
        for n, (x, y, fresh) in zip(range(segments), self.streams):
            loss = self.segment(x, y, fresh)
            self.curve.append(float(loss))
            if n % 60 == 59:
                print(f"segment {n + 1}: bits/char {self.total / self.seen / math.log(2):.3f} "
                      f"(last {self.curve[-1] / math.log(2):.3f})")
                self.total, self.seen = 0.0, 0


if __name__ == "__main__":
    torch.manual_seed(31)
    torch.set_num_threads(1)
    script = Script(seed=4)
    model = StatefulLM(len(script.alphabet), emb=16, hidden=48)
    loop = Loop(model, Streams(script.encoded(), rows=8, length=20))
    loop.run(360)
    print(script.decode(model.improvise(script.encode("\nANNA: "), 60)))
