import copy

import torch


class EmaTeacher:
    def __init__(self, student, decay):
        self.net = copy.deepcopy(student)
        self.net.requires_grad_(False)
        self.net.use_checkpoint = False
        self.decay = decay

    @torch.no_grad()
    def __call__(self, seq):
        return torch.sigmoid(self.net(seq))

    @torch.no_grad()
    def update(self, student):
        ours = list(self.net.parameters())
        theirs = list(student.parameters())
        torch._foreach_mul_(ours, self.decay)
        torch._foreach_add_(ours, theirs, alpha=1 - self.decay)
