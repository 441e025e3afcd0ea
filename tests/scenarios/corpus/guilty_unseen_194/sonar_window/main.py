# gradwatch-corpus: kind=graph-held
# holder: self.pings | window.pings
# first-bad: 1
import torch
import torch.nn.functional as F

from net import EchoNet, ping
from window import Clock, SlidingWindow


def main(pings=480):
    torch.manual_seed(12)
    generator = torch.Generator().manual_seed(13)
    net = EchoNet()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    clock = Clock()
    window = SlidingWindow(seconds=8)
    running = 0.0

    for i in range(pings):
        stamp = clock.tick()
        trace, target = ping(2, generator=generator)
        echo = net(trace)
        loss = F.mse_loss(echo, target)

        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

        running += (loss.item() - running) * 0.05
        window.push(stamp, echo)
        if i % 60 == 59:
            print(f"{stamp / 1000:6.1f} s  mse {running:.4f}  strongest {window.strongest():.2f}")


if __name__ == "__main__":
    main()
