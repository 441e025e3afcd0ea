# gradwatch-corpus: kind=graph-chain
# holder: self.state | stream.state | forecaster.state | state | states | new_states | self.states | runner.states
# first-bad: 1
"""One-step-ahead power forecast of a wind turbine from SCADA signals; the record is streamed in windows and the
diagonal state-space layer keeps its state from window to window."""
import torch

from layers import Forecaster
from optim import Lion, cosine_with_floor
from scada import ScadaStream


class StreamRunner:
    def __init__(self, model, optimizer, stream, schedule, log_every=50):
        self.model = model
        self.optimizer = optimizer
        self.stream = stream
        self.schedule = schedule
        self.log_every = log_every
        self.states = model.initial_states(stream.turbines)

    def window(self, signals, target):
        prediction, new_states = self.model(signals, self.states)
        self.states = new_states  # <- culprit
        return torch.nn.functional.smooth_l1_loss(prediction, target)

    def run(self, n_windows):
        smooth = 0.0
        for k, (signals, target) in zip(range(n_windows), self.stream):
            self.optimizer.lr = self.schedule(k)
            self.optimizer.zero_grad()
            loss = self.window(signals, target)
            loss.backward(retain_graph=True)  # <- culprit
            self.optimizer.step()
            smooth += (loss.item() - smooth) / min(k + 1, 40)
            if (k + 1) % self.log_every == 0:
                print(f"window {k + 1:4d}  lr {self.optimizer.lr:.1e}  loss {smooth:.4f}")
        return smooth


def main(n_windows=200):
    torch.manual_seed(2)
    model = Forecaster(n_signals=5, width=12, order=8, depth=1)
    runner = StreamRunner(
        model,
        Lion(model.parameters(), lr=1e-3, weight_decay=1e-2),
        ScadaStream(turbines=6, window=20),
        cosine_with_floor(2e-3, n_windows),
    )
    runner.run(n_windows)


if __name__ == "__main__":
    main()
