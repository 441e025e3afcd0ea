# gradwatch-corpus: kind=graph-chain
# holder: h | memory | filt | filt.gi_frame.f_locals["h"] | fc.filt | self.filt
# first-bad: 1
# notice: 5
"""Harbour tide gauge: forecast the next half hour from the last one.

The filter is a coroutine because the gauge sends data as a stream and I liked
the `send()` idiom from David Beazley's slides.
"""
import torch

from gauge import gauge_stream
from filters import Forecaster
from sgd import PlainMomentum

torch.set_num_threads(1)
torch.manual_seed(1953)


def run(n_steps=220):
    fc = Forecaster(n_in=6, n_state=10)
    opt = PlainMomentum(fc.parameters(), lr=0.02, momentum=0.7, clip=1.0)
    fc.start(batch=4)
    errors = []
    for step, (now, nxt) in zip(range(n_steps), gauge_stream(batch=4, width=6)):
        guess = fc.assimilate(now)
        miss = guess - nxt
        loss = torch.log(torch.cosh(miss)).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        errors.append(loss.item())
        if step % 40 == 0:
            print(f"half hour {step:4d}   log-cosh {errors[-1]:.4f}")
    fc.stop()
    return errors


if __name__ == "__main__":
    e = run()
    print("first 20: %.4f   last 20: %.4f" % (sum(e[:20]) / 20, sum(e[-20:]) / 20))
