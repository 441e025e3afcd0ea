"""A ring of frozen teachers: the last few states of the student, held as real submodules."""
import copy

import torch
import torch.nn as nn


class TeacherRing(nn.Module):
    def __init__(self, size=6):
        super().__init__()
        self.size = size
        self.turn = 0

    def push(self, student):
        twin = copy.deepcopy(student)
        twin.requires_grad_(False)
        twin.eval()
        self.add_module(f"teacher{self.turn % self.size}", twin)
        self.turn += 1

    def __len__(self):
        return len(self._modules)

    @torch.no_grad()
    def forward(self, x):
        votes = [m(x).softmax(-1) for m in self.children()]
        return torch.stack(votes).mean(0)
