# gradwatch-corpus: kind=graph-held
# holder: bus._retained['picker/step'] | self._retained | bus._retained | self.bus._retained | self._retained[topic] | event.payload | payload | event
# first-bad: 1
# notice: 8
"""P-wave onset picker with its services wired to an event bus."""
import torch

from bus import Bus
from picker import Picker, onset_loss
from services import Alarm, Console, Stopwatch
from traces import Network

torch.set_num_threads(1)


class Worker:
    def __init__(self, network, bus, steps, lr=4e-3):
        self.network, self.bus, self.steps = network, bus, steps
        self.model = Picker()
        self.opt = torch.optim.RMSprop(self.model.parameters(), lr=lr)

    def one(self, step):
        wave, onset = self.network.batch(24)
        loss = onset_loss(self.model(wave), onset)
        self.opt.zero_grad()
        loss.backward()
        gnorm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.opt.step()
        self.bus.publish("picker/step", step=step, misfit=loss, gnorm=gnorm)  # <- culprit

    def run(self):
        self.bus.publish("picker/start", steps=self.steps)
        for step in range(self.steps):
            self.one(step)
            if step == self.steps // 2:
                self.bus.subscribe("picker/step", Alarm(limit=8.0), replay=True)
        self.bus.publish("picker/stop", steps=self.steps)


def main():
    torch.manual_seed(7)
    bus = Bus()
    bus.subscribe("picker/step", Console(every=30))
    clock = Stopwatch()
    bus.subscribe("picker/start", clock)
    bus.subscribe("picker/stop", clock)
    Worker(Network(stations=6), bus, steps=120).run()


if __name__ == "__main__":
    main()
