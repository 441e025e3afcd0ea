# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.shadow[name] | target.shadow | learner.target.shadow | shadow
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(0)


def MLP(dim, hidden, out):
    return nn.Sequential(nn.Linear(dim, hidden), nn.LayerNorm(hidden), nn.ReLU(), nn.Linear(hidden, out))


class Encoder(nn.Module):
    def __init__(self, dim=20, rep=24, proj=12):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, rep))
        self.projector = MLP(rep, 32, proj)

    def forward(self, x):
        return self.projector(self.trunk(x))


class MomentumTarget:
    """The slow copy of a network, kept as a dictionary of tensors."""

    def __init__(self, net, tau):
        self.net, self.tau = net, tau
        self.shadow = {name: p.detach().clone() for name, p in net.named_parameters()}

    def update(self):
        for name, p in self.net.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1 - self.tau)  # <- culprit

    def __call__(self, x):
        return functional_call(self.net, self.shadow, (x,))


def loss_fn(x, y):
    x, y = F.normalize(x, dim=-1), F.normalize(y, dim=-1)
    return 2 - 2 * (x * y).sum(dim=-1)


class BYOL(nn.Module):
    def __init__(self, tau=0.97):
        super().__init__()
        self.online = Encoder()
        self.predictor = MLP(12, 32, 12)
        self.target = MomentumTarget(self.online, tau)

    def augment(self, x):
        return x * (torch.rand_like(x) > 0.2) + 0.1 * torch.randn_like(x)

    def forward(self, x):
        one, two = self.augment(x), self.augment(x)
        p1, p2 = self.predictor(self.online(one)), self.predictor(self.online(two))
        t1, t2 = self.target(one), self.target(two)  # <- culprit
        return (loss_fn(p1, t2) + loss_fn(p2, t1)).mean()


learner = BYOL()
opt = torch.optim.Adam(learner.parameters(), lr=1e-3)
centres = torch.randn(6, 20) * 2
history = []
for step in range(90):
    x = centres[torch.randint(0, 6, (16,))] + 0.3 * torch.randn(16, 20)
    loss = learner(x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    learner.target.update()
    history.append(loss.item())
print(f"byol loss {history[0]:.3f} -> {history[-1]:.3f}")
