# gradwatch-corpus: kind=none
"""Character model over an endless synthetic grammar; the network carries its
own memory from symbol to symbol."""
import torch

from .grammar import Grammar
from .network import CharNet
from .routine import Routine


def main(symbols=11200):
    torch.manual_seed(121)
    grammar = Grammar(seed=122, lanes=12)
    net = CharNet(grammar.size, width=24)
    routine = Routine(net, reach=28)
    for lane_symbols, following in grammar.stream(symbols):
        routine.feed(lane_symbols, following)
    print("bits", [round(v, 3) for v in routine.bits[::50]])


main()
