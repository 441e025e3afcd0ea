# gradwatch-corpus: kind=none
# about: the loss graph grows by one spring per task and parameter groups are added (six tasks); newest loss per task is kept
"""Six classification islands one after the other; what mattered on the former ones is held by springs."""
import torch
import torch.nn.functional as F

from .anchors import survey
from .net import Island, Traveller

torch.manual_seed(3)
net = Traveller()
opt = torch.optim.SGD(net.body.parameters(), lr=.04, momentum=.8)
islands = [Island(n, s) for s, n in enumerate("naxos paros delos milos tinos andros".split())]
springs = []
done = []
newest = {}
for island in islands:
    opt.add_param_group({"params": list(net.arrive(island.name, island.classes)), "lr": .08})
    for day in range(75):
        x, y = island.draw(64)
        loss = F.cross_entropy(net(x, island.name), y)
        newest[island.name] = loss
        total = loss + 12. * sum(s.pull(net) for s in springs)
        opt.zero_grad()
        total.backward()
        opt.step()
        if day % 25 == 0:
            print(f"{island.name:>7} day {day} loss {loss.item():.3f} springs {len(springs)}")
    springs.append(survey(island.name, net, *island.draw(60), F.cross_entropy))
    done.append(island)
    with torch.no_grad():
        print("   ", {i.name: round((lambda xy: (net(xy[0], i.name).argmax(1) == xy[1]).float().mean().item())(i.draw(300)), 2) for i in done})
print("last losses", {k: round(v.item(), 3) for k, v in newest.items()})
