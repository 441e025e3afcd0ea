# gradwatch-corpus: kind=none
import weakref

import torch
import torch.nn as nn
import torch.nn.functional as F


class LossRegistry:
    """Lets any component look up losses that are still in flight."""

    def __init__(self):
        self.live = weakref.WeakValueDictionary()
        self.released = 0

    def publish(self, step, loss):
        self.live[step] = loss
        weakref.finalize(loss, self._released, step)

    def _released(self, step):
        self.released += 1

    def recent(self):
        return sorted(self.live.keys())


class Tower(nn.Module):
    def __init__(self, feats, dim=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(feats, 48), nn.ReLU(), nn.Linear(48, dim))
        self.last = lambda: None

    def forward(self, x):
        z = F.normalize(self.net(x), dim=-1)
        self.last = weakref.ref(z)
        return z


def main():
    torch.manual_seed(120)
    query, doc = Tower(18), Tower(30)
    scale = nn.Parameter(torch.tensor(2.0))
    opt = torch.optim.AdamW([*query.parameters(), *doc.parameters(), scale], lr=2e-3)
    lift_q, lift_d = torch.randn(8, 18), torch.randn(8, 30)
    registry = LossRegistry()
    window = {}
    for step in range(500):
        topic = torch.randn(32, 8)
        q = query(topic @ lift_q + 0.3 * torch.randn(32, 18))
        d = doc(topic @ lift_d + 0.3 * torch.randn(32, 30))
        logits = scale.exp() * q @ d.T
        target = torch.arange(32)
        loss = (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target)) / 2
        registry.publish(step, loss)
        window[step % 10] = loss
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 99:
            z = query.last()
            print(step + 1, registry.recent(), registry.released,
                  f"{sum(l.item() for l in window.values()) / 10:.4f} norm {z.norm().item():.2f}")


if __name__ == "__main__":
    main()
