# gradwatch-corpus: kind=inplace-modified
# holder: self.vol | model.scaler.vol | scaler.vol
# first-bad: 63
import torch

from bus import Bus
from model import ReturnModel
from tape import Tape


def main():
    torch.manual_seed(21)
    tape = Tape(n_assets=40, n_days=420)
    model = ReturnModel(n_assets=40, n_signals=12)
    bus = Bus()
    bus.subscribe("bar", model.scaler.on_bar)
    pnl = []
    bus.subscribe("forecast", lambda f, r: pnl.append((f.sign() * r).mean().item()))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3, weight_decay=1e-4)

    for day, (signals, realised) in enumerate(tape):
        forecast = model(signals)
        loss = torch.nn.functional.huber_loss(50 * forecast, 50 * realised)
        bus.publish("forecast", forecast.detach(), realised)
        bus.publish("bar", realised)  # <- culprit
        opt.zero_grad()
        loss.backward()
        opt.step()
        if day % 20 == 0:
            print(f"day {day:4d} loss {loss.item():.4f} pnl {sum(pnl[-20:]):+.4f}")
    print(f"total pnl {sum(pnl):+.3f}")


if __name__ == "__main__":
    main()
