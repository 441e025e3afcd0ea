import torch
from torch.nn import functional as F


class Loop:
    def __init__(self, student, teacher, callbacks, lr, consistency):
        self.student = student
        self.teacher = teacher
        self.callbacks = callbacks
        self.consistency = consistency
        self.opt = torch.optim.Adam(student.parameters(), lr=lr)

    def corrupt(self, tokens):
        drop = torch.rand(tokens.shape) < 0.15
        return tokens.masked_fill(drop, 0)

    def batch(self, tokens, labels):
        logits = self.student(self.corrupt(tokens))
        target = self.teacher(tokens).softmax(-1)
        supervised = F.cross_entropy(logits, labels)
        agree = F.kl_div(logits.log_softmax(-1), target, reduction="batchmean")
        loss = supervised + self.consistency * agree
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return {"loss": loss, "logits": logits}

    def run(self, epochs, make_batches):
        for _ in range(epochs):
            for tokens, labels in make_batches():
                outputs = self.batch(tokens, labels)
                self.callbacks.on_batch_end(self, outputs)
            self.callbacks.on_epoch_end(self)
