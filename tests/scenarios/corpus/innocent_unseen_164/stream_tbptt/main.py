# gradwatch-corpus: kind=none
"""One LSTM over several live sensors; each sensor updates the model after its own k readings."""
import torch
from torch import nn
import torch.nn.functional as F

from sensors import make

torch.set_num_threads(1)
torch.manual_seed(23)


class Online:
    def __init__(self, sensors, k=6, size=14):
        self.sensors = sensors
        self.k = k
        self.cell = nn.LSTMCell(2, size)
        self.head = nn.Linear(size, 1)
        self.opt = torch.optim.Adam([*self.cell.parameters(), *self.head.parameters()], lr=5e-3)
        self.trace = {name: [] for name in sensors}

    def read(self, sensor):
        x, target = sensor.next()
        state = self.cell(x, sensor.state)
        sensor.put(state)
        sensor.pending.append(F.mse_loss(self.head(state[0]), target))

    def flush(self, sensor):
        loss = torch.stack(sensor.pending).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.trace[sensor.name].append(loss.item())
        sensor.pending.clear()
        sensor.cut()

    def run(self, updates):
        for u in range(updates):
            for sensor in self.sensors.values():
                for _ in range(self.k):
                    self.read(sensor)
                self.flush(sensor)
            if u % 10 == 9:
                print(u, {n: round(sum(v[-5:]) / 5, 4) for n, v in self.trace.items()})


if __name__ == "__main__":
    Online(make(4)).run(30)
