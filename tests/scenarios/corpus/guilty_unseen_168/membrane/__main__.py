# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.cells.level | net.cells.level | cells.level | self._buffers["level"]
"""Leaky cells that listen to a continuous stream in chunks."""
import torch

from .cells import SpikeReader
from .stream import chunks

torch.set_num_threads(1)
torch.manual_seed(2)


def main():
    net = SpikeReader(inputs=16, cells=40, classes=3, lanes=12)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    right = seen = 0
    for at, (x, y) in enumerate(chunks(count=90, lanes=12, inputs=16)):
        scores, rate = net(x)
        loss = torch.nn.functional.cross_entropy(scores, y) + 0.05 * (rate - 0.2).pow(2)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        right += (scores.argmax(1) == y).sum().item()
        seen += len(y)
        if at % 15 == 0:
            print(f"chunk {at} loss {loss.item():.3f} accuracy {right / seen:.3f} rate {rate.item():.2f}")


main()
