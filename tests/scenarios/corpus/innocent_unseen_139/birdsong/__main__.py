# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(1758)

from .contrast import Contrast, EmaTwin, FeatureRing
from .probe import Probe
from .sounds import clips, encoder

net = encoder()
task = Contrast(net, EmaTwin(net, 0.98), FeatureRing(slots=64, dim=6))
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
history = []
for n, (a, b) in enumerate(clips(450)):
    with Probe(net[0]) as probe:
        loss = task(a, b)
    opt.zero_grad()
    loss.backward()
    opt.step()
    task.twin.follow(net)
    history.append(float(loss.detach()))
    if n % 90 == 89:
        print(n + 1, round(sum(history[-90:]) / 90, 3), "first layer", probe.summary())
