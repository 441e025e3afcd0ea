# gradwatch-corpus: kind=graph-chain
# holder: self.bank[station]["level"] | entry["level"] | self.bank | bank.bank | model.traces.bank | model.traces.bank["weser"] | model.traces.bank['weser']
# first-bad: 3
"""Tide surge nowcasting with leaky traces per station; stations report in
turn."""
import torch

from .model import SurgeModel
from .stations import Stations


def main(rounds=420):
    torch.manual_seed(58)
    stations = Stations(("nord", "harle", "weser"), seed=59)
    model = SurgeModel(inputs=5, width=16)
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    shown = dict.fromkeys(stations.names, 0.0)
    for turn in range(rounds):
        name, x, y = stations.report(turn)
        loss = (model(name, x) - y).pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        shown[name] = 0.9 * shown[name] + 0.1 * loss.item()
        if turn % 60 == 59:
            print(turn + 1, {k: round(v, 4) for k, v in shown.items()})


main()
