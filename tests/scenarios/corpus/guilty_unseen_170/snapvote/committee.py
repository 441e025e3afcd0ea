"""A committee of past weights that votes on the validation slice."""
import copy

import torch
import torch.nn as nn


class Committee(nn.Module):
    def __init__(self, every=3, voters=4):
        super().__init__()
        self.every = every
        self.voters = voters

    def enroll(self, step, net):
        if step % self.every:
            return
        member = copy.deepcopy(net).eval()
        for p in member.parameters():
            p.requires_grad_(False)
        self.add_module(f"member_{step}", member)  # <- culprit

    def newest(self):
        return list(self.children())[-self.voters:]

    @torch.no_grad()
    def forward(self, x):
        return torch.stack([m(x).softmax(-1) for m in self.newest()]).mean(0)
