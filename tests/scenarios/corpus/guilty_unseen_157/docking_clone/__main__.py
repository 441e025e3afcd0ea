# gradwatch-corpus: kind=second-backward
# holder: state["weight"] | state | module.weight | state['weight'] | self.state
# first-bad: 1
"""Behaviour cloning of a docking controller with Lipschitz-bounded layers."""
import torch
from torch import nn

from .demos import demonstrations
from .lipschitz import bound_layers

torch.set_num_threads(1)
torch.manual_seed(23)


class DockingPolicy(nn.Module):
    def __init__(self, obs=8, act=3, width=24):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(obs, width), nn.Linear(width, width), nn.Linear(width, act)])

    def forward(self, obs):
        h = obs
        for layer in self.layers[:-1]:
            h = torch.tanh(layer(h))
        return self.layers[-1](h)


def clone(policy, epochs=5):
    optimizer = torch.optim.Adam(policy.parameters(), lr=2e-3)
    for epoch in range(epochs):
        mean = 0.0
        for count, (obs, action) in enumerate(demonstrations(24, batch=16), start=1):
            loss = nn.functional.smooth_l1_loss(policy(obs), action)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mean += (loss.item() - mean) / count
        print(f"epoch {epoch}: smooth l1 {mean:.4f}")


def main():
    policy = bound_layers(DockingPolicy(), bound=2.0)
    clone(policy)


main()
