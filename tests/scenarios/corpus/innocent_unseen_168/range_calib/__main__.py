# gradwatch-corpus: kind=none
import torch

from .net import build
from .ranges import RangeCollector
from .source import signals

torch.set_num_threads(1)
torch.manual_seed(12)


def main(steps=150, observe=40):
    net = build()
    ranges = RangeCollector(net, steps=observe, share=0.999)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step, (x, y) in enumerate(signals(steps, batch=256)):
        loss = torch.nn.functional.huber_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ranges.after_step()
        if step % 25 == 0:
            print(f"step {step} loss {loss.item():.4f} bounds {ranges.report()}")


main()
