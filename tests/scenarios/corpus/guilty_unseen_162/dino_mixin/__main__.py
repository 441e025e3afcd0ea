# gradwatch-corpus: kind=graph-chain
# holder: self._center | learner._center | _center
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F

from .mixins import CenteringMixin, MultiLossMixin

torch.set_num_threads(1)
torch.manual_seed(61)


class Views:
    def __init__(self, classes=6, dim=20):
        self.proto = 2 * torch.randn(classes, dim)

    def __call__(self, n):
        base = self.proto[torch.randint(0, len(self.proto), (n,))]
        return [base + 0.7 * torch.randn_like(base) for _ in range(2)]


class LinearProbeSSL(CenteringMixin, MultiLossMixin, nn.Module):
    """Random features, frozen; a linear projector is learned on them."""

    def __init__(self, dim=20, feat=64, out=16):
        super().__init__()
        self.register_buffer("basis", torch.randn(dim, feat) / dim ** 0.5)
        self.project = nn.Linear(feat, out)
        self.init_center(out)

    def forward(self, view):
        return self.project(torch.relu(view @ self.basis))

    def losses(self, a, b):
        za, zb = self(a), self(b)
        joint = self.centered(torch.cat([za, zb]))
        ca, cb = joint.chunk(2)
        sim = F.cosine_similarity(ca, cb).mean()
        std = (joint.var(0) + 1e-4).sqrt()
        cov = (joint.T @ joint) / len(joint)
        off = cov - torch.diag(cov.diagonal())
        return {"align": 1 - sim, "var": F.relu(1 - std).mean(), "cov": 0.02 * off.pow(2).mean()}


views = Views()
learner = LinearProbeSSL()
params = list(learner.parameters())
opt = torch.optim.SGD(params, lr=0.05, momentum=0.9)
for it in range(90):
    losses = learner.losses(*views(32))
    opt.zero_grad()
    norms = learner.backward_each(losses, params)
    opt.step()
    if it % 15 == 0:
        print(it, {k: round(v.item(), 3) for k, v in losses.items()}, {k: round(n, 3) for k, n in norms.items()})
