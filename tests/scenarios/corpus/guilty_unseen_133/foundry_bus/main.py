# gradwatch-corpus: kind=graph-held
# holder: self.rows | recorder.rows | Recorder.rows | self.rows[moment.index] | rig.recorder.rows
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from bus import Bus, Moment
from listeners import Recorder, Throttle
from furnace import Furnace, charges


def build():
    torch.manual_seed(31)
    bus = Bus()
    furnace = Furnace()
    opt = torch.optim.Adam(furnace.parameters(), lr=5e-3)
    recorder = Recorder(stride=6)
    throttle = Throttle(opt, patience=40)
    bus.on("step_end", recorder.collect)
    bus.on("step_end", throttle.observe)
    return bus, furnace, opt, recorder


def main(steps=1200):
    bus, furnace, opt, recorder = build()
    for index, (mix, melt) in enumerate(charges(steps)):
        guess, spread = furnace(mix)
        nll = (0.5 * ((melt - guess) / spread).square() + spread.log()).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        bus.emit("step_end", Moment(index, nll, guess.detach().mean().item()))
    print(recorder.summary())


main()
