# gradwatch-corpus: kind=second-backward
# first-bad: 1
# holder: self.h | model.h | policy.h | self.core.h | policy.core.h | net.core.h | self.core.state | self.state
# holder: policy.core.state | policy.core._state | self._state
import torch
from torch import nn

from nets.recurrent import StatefulCore


class Policy(nn.Module):
    def __init__(self, obs=10, hid=64, act=4):
        super().__init__()
        self.enc = nn.Linear(obs, hid)
        self.core = StatefulCore(hid, hid)
        self.out = nn.Linear(hid, act)

    def forward(self, obs):
        return self.out(self.core(torch.relu(self.enc(obs))))


class BehaviourCloning:
    def __init__(self, policy, lr=1e-3):
        self.policy = policy
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)
        self.ce = nn.CrossEntropyLoss()

    def update(self, obs, act):
        self.opt.zero_grad()
        loss = self.ce(self.policy(obs), act)
        loss.backward()  # <- culprit
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(12)
    policy = Policy()
    policy.core.reset(batch=32)
    bc = BehaviourCloning(policy)
    W = torch.randn(10, 4)
    for t in range(100):
        obs = torch.randn(32, 10)
        print(t, bc.update(obs, (obs @ W).argmax(1)))
