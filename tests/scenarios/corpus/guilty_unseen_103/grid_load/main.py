# gradwatch-corpus: kind=graph-chain
# holder: self.drift | tracker.drift | model.tracker.drift
# first-bad: 1
# notice: 5
"""Day-ahead feeder load, updated online as the meters report."""
import torch

from feeder import FeederStream
from forecaster import CalendarForecaster


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    stream = FeederStream(n_feeders=12, lags=8)
    model = CalendarForecaster(n_inputs=stream.width)
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    abs_err = 0.0
    for step in range(180):
        x, load = stream.next_slot()
        forecast = model(x)
        loss = model.objective(forecast, load)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        model.after_slot(forecast, load)
        abs_err += (forecast.detach() - load).abs().mean().item()
        if step % 40 == 39:
            print(f"slot {step + 1:4d}  mae {abs_err / 40:.4f}")
            abs_err = 0.0


if __name__ == "__main__":
    main()
