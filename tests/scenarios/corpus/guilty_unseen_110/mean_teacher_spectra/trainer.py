import copy

import torch
import torch.nn.functional as F


class Trainer:
    def __init__(self, student, callbacks, lr):
        self.student = student
        self.teacher = copy.deepcopy(student)
        for p in self.teacher.parameters():
            p.requires_grad = False
        self.opt = torch.optim.AdamW(student.parameters(), lr=lr)
        self.callbacks = callbacks
        self.step = 0
        self.logs = {}

    def fire(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def augment(self, x):
        return x * (1 + 0.1 * torch.randn(x.size(0), 1)) + 0.05 * torch.randn_like(x)

    def losses(self, xl, yl, xu):
        sup = F.cross_entropy(self.student(self.augment(xl)), yl)
        with torch.no_grad():
            goal = F.softmax(self.teacher(self.augment(xu)), 1)
        # the student's features must stay readable by the teacher's head
        logits = self.teacher.head(self.student.encode(self.augment(xu)))  # <- culprit
        cons = F.kl_div(F.log_softmax(logits, 1), goal, reduction="batchmean")
        return sup, cons

    def fit(self, labelled, unlabelled, steps):
        xl, yl = labelled
        for self.step in range(steps):
            i = torch.randint(0, len(xl), (16,))
            j = torch.randint(0, len(unlabelled), (32,))
            sup, cons = self.losses(xl[i], yl[i], unlabelled[j])
            loss = sup + min(1.0, self.step / 50) * cons
            self.logs = {"sup": sup.item(), "cons": cons.item()}
            self.fire("after_loss")  # <- culprit
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.fire("after_step")
