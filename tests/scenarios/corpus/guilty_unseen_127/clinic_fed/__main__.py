# gradwatch-corpus: kind=graph-chain
# holder: self.point[name] | self.point | anchor.point | clinic.anchor.point
# first-bad: 1
# notice: 5
import torch

from .anchor import Anchor
from .clinic import cohort, make_net

torch.set_num_threads(1)
torch.manual_seed(67)

net = make_net()
anchor = Anchor(net, pull=0.1)
opt = torch.optim.SGD(net.parameters(), lr=0.05)

for visit in range(260):
    site = visit % 4
    features, outcome = cohort(site)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(net(features).squeeze(-1), outcome)
    loss = loss + 0.2 * anchor.distance(net)
    opt.zero_grad()
    loss.backward()
    opt.step()
    anchor.follow(net)
    if visit % 65 == 0:
        print(f"visit {visit} site {site} loss {loss.item():.4f}")
