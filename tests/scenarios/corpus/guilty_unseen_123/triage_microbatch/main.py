# gradwatch-corpus: kind=second-backward
# holder: context | ward.context
# first-bad: 0
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(3)

from wards import Ward, stream
from model import Triage


def accumulate(model, ward: Ward, micro: int):
    context = model.describe(ward.occupancy)  # <- culprit
    total = 0.0
    for sl in ward.slices(micro):
        logits = model(ward.vitals[sl], context)
        loss = torch.nn.functional.cross_entropy(logits, ward.urgency[sl], reduction="sum") / len(ward)
        loss.backward()  # <- culprit
        total += loss.item()
    return total


def main():
    model = Triage()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for day, ward in enumerate(stream(days=250)):
        opt.zero_grad()
        total = accumulate(model, ward, micro=5)
        opt.step()
        if day % 50 == 0:
            print(day, round(total, 3))


main()
