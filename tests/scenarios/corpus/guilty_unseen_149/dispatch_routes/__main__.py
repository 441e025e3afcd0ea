# gradwatch-corpus: kind=second-backward
# holder: self.worst | hard.worst
# first-bad: 14
# notice: 0
"""Travel times for parcel rounds, with extra practice on the hardest batch of each fortnight."""
import torch
import torch.nn.functional as F

from .rounds import TravelTime, rounds
from .practice import HardestBatch

torch.set_num_threads(1)
torch.manual_seed(27)


def main():
    model = TravelTime()
    opt = torch.optim.SGD(model.parameters(), lr=0.02)
    hard = HardestBatch(every=15)
    running = None
    for day, (x, minutes) in enumerate(rounds(90), 1):
        opt.zero_grad()
        loss = F.l1_loss(model(x), minutes)
        loss.backward()
        hard.see(loss, day)  # <- culprit
        opt.step()
        running = loss.item() if running is None else 0.9 * running + 0.1 * loss.item()
        if day % 10 == 0:
            print(f"day {day}: {running:.3f}")


main()
