# gradwatch-corpus: kind=none
"""Grid load forecasting with a gated linear recurrence, streamed day by day: the state goes on from window to window,
within a window two chunks are backpropagated together."""
import torch

from recurrence import LoadNet
from telemetry import LagOneLogger, tap
from weather import days


class Streamer:
    def __init__(self, net, optimizer, logger, chunks=2):
        self.net, self.optimizer, self.logger, self.chunks = net, optimizer, logger, chunks
        self.state = None

    def window(self, x, y):
        losses = []
        state = self.state
        for cx, cy in zip(x.chunk(self.chunks, 1), y.chunk(self.chunks, 1)):
            out, state = self.net(cx, state)
            losses.append(torch.nn.functional.mse_loss(out, cy))
        self.state = state.detach()
        return torch.stack(losses).mean()

    def step(self, x, y):
        loss = self.window(x, y)
        self.optimizer.zero_grad(set_to_none=False)
        loss.backward()
        self.optimizer.step()
        self.logger(loss)
        return loss


def main(steps=240):
    torch.manual_seed(30)
    net = LoadNet(features=4, width=20)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=steps)
    streamer = Streamer(net, optimizer, LagOneLogger(every=60))
    for step, (x, y) in zip(range(steps), days(stations=8, hours=24)):
        if step % 60 == 30:
            with tap(net.cell) as seen:
                streamer.step(x, y)
            print(f"   cell output: rms {seen.rms():.3f} over {seen.calls} calls")
        else:
            streamer.step(x, y)
        scheduler.step()
    streamer.logger.flush()


if __name__ == "__main__":
    main()
