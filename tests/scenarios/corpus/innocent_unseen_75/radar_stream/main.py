# gradwatch-corpus: kind=none
"""Continuous radar stream: a recurrent nowcaster that never resets its memory."""
import torch

from loop import StreamLoop, StreamState
from net import RainCell
from stream import rain


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(12)
    net = RainCell(channels=8)
    state = StreamState(net=net, optimizer=torch.optim.Adam(net.parameters(), lr=3e-3))
    StreamLoop(state, window=4).run(rain(side=10, frames=801))
    print(f"{state.updates} updates, smoothed loss {state.smoothed:.5f}")


if __name__ == "__main__":
    main()
