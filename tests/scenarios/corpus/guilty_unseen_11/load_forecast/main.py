# gradwatch-corpus: kind=graph-held
# holder: self.rows | writer.rows | self.writer.rows | row.values | values | self.rows[-1] | writer.rows[-1]
# first-bad: 1
"""Day-ahead forecast of feeder load with a GRU that runs along a long synthetic recording.
Metrics go through the writer thread, so that a slow network share does not hold up the training."""
import torch
import torch.nn.functional as F

from forecaster import Forecaster
from series import FeederStream
from writer import MetricWriter


class Job:
    def __init__(self, steps=320, window=12, feeders=16):
        self.steps = steps
        self.stream = FeederStream(feeders, window, seed=17)
        self.model = Forecaster(n_in=3, hidden=32)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=4e-3)
        self.writer = MetricWriter(["mse", "mae", "pinball"])

    def metrics(self, pred, target):
        err = target - pred
        return {
            "mse": err.pow(2).mean(),
            "mae": err.abs().mean(),
            "pinball": torch.maximum(0.9 * err, -0.1 * err).mean(),
        }

    def step(self, index, window, hidden):
        x, y = window
        pred, hidden = self.model(x, hidden)
        values = self.metrics(pred, y)
        loss = values["mse"] + 0.2 * values["pinball"]
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 2.0)
        self.optimizer.step()
        self.writer.log(index, values)  # <- culprit
        return hidden.detach()

    def run(self):
        hidden = None
        with self.writer:
            for index, window in enumerate(self.stream.take(self.steps)):
                hidden = self.step(index, window, hidden)
                if index % 80 == 0:
                    print(f"window {index}, hidden norm {hidden.norm().item():.2f}")
        print(self.writer.tail(5))


if __name__ == "__main__":
    torch.manual_seed(5)
    torch.set_num_threads(1)
    Job().run()
