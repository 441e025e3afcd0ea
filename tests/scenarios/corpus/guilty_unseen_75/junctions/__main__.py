# gradwatch-corpus: kind=inplace-modified
# holder: self.memory | state.memory | state.board.memory | self.board.memory | board.memory | memory | loss | state.loss | forecast | state.forecast | s.board.memory | s.loss | s.forecast | self.state.board.memory
# first-bad: 12
# notice: 0
"""Traffic forecasting with one memory row per junction. Run: python -m junctions"""
import torch

from .board import JunctionBoard
from .engine import Engine, TrainState
from .net import FlowNet
from .stream import flow_stream
from . import plugins


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(30)
    junctions, width = 20, 12
    net = FlowNet(readings=4, width=width)
    state = TrainState(net=net, board=JunctionBoard(junctions, width),
                       optimizer=torch.optim.Adam(net.parameters(), lr=3e-3))
    engine = Engine(state)
    plugins.install(engine, ["memory", "console"], burn_in=12)
    engine.run(flow_stream(junctions, readings=4, ticks=90))


if __name__ == "__main__":
    main()
