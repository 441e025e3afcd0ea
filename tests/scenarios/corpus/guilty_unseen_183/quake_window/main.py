# gradwatch-corpus: kind=graph-held
# holder: self.items | stat.items | monitor.stats["nll"].items
# first-bad: 1
# notice: 90
"""Seismic onset picking with windowed metrics."""
import torch
import torch.nn.functional as F

from monitoring import Monitor
from picker import PhasePicker, traces
from timing import StepClock


def main(steps=430):
    torch.manual_seed(61)
    gen = torch.Generator().manual_seed(61)
    net = PhasePicker()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    clock = StepClock()
    monitor = Monitor({"nll": 40, "sharpness": 20}, clock)
    for _ in range(steps):
        x, onset = traces(gen)
        logp = net(x)
        nll = F.nll_loss(logp, onset)
        sharpness = logp.exp().max(-1).values.mean()
        loss = nll - 0.01 * sharpness
        opt.zero_grad()
        loss.backward()
        opt.step()
        monitor.update(nll=nll, sharpness=sharpness)
        clock.tick()
        if clock.now % 86 == 0:
            print(clock.now, monitor.line())


if __name__ == "__main__":
    main()
