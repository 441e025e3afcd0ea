# gradwatch-corpus: kind=memory-climb
# holder: self._stack | rig._stack | self.rig._stack | self._stack._exit_callbacks | stack
"""Behaviour cloning of a reaching arm from depth images rendered into leased buffers."""
import torch
from torch import nn
import torch.nn.functional as F

from rig import Pool, Rig

torch.set_num_threads(1)
torch.manual_seed(29)


class Policy(nn.Module):
    def __init__(self, joints=6):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(12)
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(144, 48), nn.ReLU(), nn.Linear(48, joints))

    def forward(self, depth):
        return self.net(self.pool(depth))


class Expert:
    def __init__(self, joints=6):
        self.w = torch.randn(2, joints)

    def __call__(self, goal):
        return torch.tanh(goal @ self.w)


def train(rig, policy, expert, steps):
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    acc = 0.0
    for k in range(steps):
        goal = 2 * torch.rand(6, 2) - 1
        loss = F.mse_loss(policy(rig.look(goal)), expert(goal))
        opt.zero_grad()
        loss.backward()
        opt.step()
        acc += loss.item()
        if k % 30 == 29:
            print(f"{k}: {acc / 30:.4f} leases {rig.pool.out}")
            acc = 0.0


def main():
    with Rig(Pool((6, 1, 128, 128))) as rig:
        train(rig, Policy(), Expert(), steps=120)
    print("returned, out:", rig.pool.out)


if __name__ == "__main__":
    main()
