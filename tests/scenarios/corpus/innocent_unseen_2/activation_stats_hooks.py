# gradwatch-corpus: kind=none
"""Hooks on every layer gather activation and gradient statistics as small detached tensors."""
import torch
import torch.nn as nn


class Stats:
    def __init__(self, model):
        self.rows, self.grads = {}, {}
        self.latest = {}
        for n, m in model.named_modules():
            if isinstance(m, (nn.Linear, nn.Conv1d)):
                m.register_forward_hook(self._fwd(n))
                m.register_full_backward_hook(self._bwd(n))

    def _fwd(self, name):
        def hook(m, args, out):
            self.latest[name] = out
            self.rows.setdefault(name, []).append(torch.stack([out.detach().mean(), out.detach().std()]))
        return hook

    def _bwd(self, name):
        def hook(m, gi, go):
            self.grads.setdefault(name, []).append(go[0].norm().detach())
        return hook

    def dead(self):
        return {n: round((o <= 0).float().mean().item(), 2) for n, o in self.latest.items()}


torch.manual_seed(18)
net = nn.Sequential(nn.Conv1d(2, 8, 5), nn.ReLU(), nn.Conv1d(8, 8, 5), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 24, 3))
stats = Stats(net)
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
for i in range(150):
    y = torch.randint(0, 3, (16,))
    x = torch.randn(16, 2, 32) + torch.sin(torch.arange(32.) * (0.3 + 0.4 * y[:, None]))[:, None]
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 50 == 49:
        print(i + 1, "%.3f" % loss.item(), stats.dead(), {k: "%.3f" % torch.stack(v[-20:]).mean() for k, v in stats.grads.items()})
