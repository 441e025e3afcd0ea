# gradwatch-corpus: kind=graph-chain
# holder: self.state | net.state | self._memory["warmth"] | net._memory["warmth"] | self._memory[self.memory_name] | warmth | value | net._memory
# first-bad: 1
# notice: 5
"""Room temperatures from heating power and weather.  Run: python -m house_thermal"""
import torch

from .loop import run_epoch
from .network import ThermalNet
from .weather import windows


def main():
    torch.set_num_threads(1)
    torch.manual_seed(5)
    net = ThermalNet(n_inputs=5, n_zones=12, n_rooms=3)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    net.begin(batch=8)
    history = []
    for day, losses in run_epoch(net, optimizer, windows(8, 5, 3, count=96), report=24):
        history.append(sum(losses) / len(losses))
        print(f"day {day}: mean squared error {history[-1]:.4f}")
    print("best day", min(range(len(history)), key=history.__getitem__))


main()
